// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.trace;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.eyrie.cache.crypt.KeyRing;
import io.eyrie.cache.trace.TraceReader;
import io.eyrie.cache.trace.TraceRecord;
import io.eyrie.cli.console.Console;
import io.eyrie.cli.console.ReportedException;
import io.eyrie.cli.console.Words;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Reads traces in the order of their first lookups. Uses a truncated trace up to its end. */
final class TraceFiles
{
    private static final long LOOKUPS_PER_MESSAGE = 1_000_000;

    private final Optional<KeyRing> keys;
    private final Console console;

    TraceFiles(Optional<KeyRing> keys, Console console)
    {
        this.keys = keys;
        this.console = console;
    }

    /**
     * A trace that was read.
     *
     * @param lost number of lookups that are missing from it
     * @param cutOff whether the trace is truncated, like most traces; all lookups up to there are correct
     */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    record Summary(String file, long lookups, long lost, boolean cutOff)
    {
        String words()
        {
            return file + ": " + Words.count(lookups, "lookup")
                    + (lost > 0 ? ", " + Words.number(lost) + " more were lost during recording" : "")
                    + (cutOff ? ". It is truncated, as usual when a process ends; all lookups up to there are used" : "");
        }
    }

    private record TraceStart(Path file, long firstMillis)
    {}

    /** Passes all lookups to a target. */
    List<Summary> read(List<Path> files, Consumer<TraceRecord> target)
    {
        List<TraceStart> inOrder = new ArrayList<>();
        for (Path file : files) {
            inOrder.add(new TraceStart(file, firstMillis(file)));
        }
        inOrder.sort(Comparator.comparingLong(TraceStart::firstMillis));
        List<Summary> summaries = new ArrayList<>();
        for (TraceStart begun : inOrder) {
            Summary summary = read(begun.file, target);
            console.progress(summary.words());
            summaries.add(summary);
        }
        return summaries;
    }

    private long firstMillis(Path file)
    {
        try (TraceReader reader = open(file)) {
            TraceRecord lookup = reader.next();
            return lookup == null ? Long.MAX_VALUE : lookup.epochMillis();
        }
        catch (EOFException e) {
            // an empty trace; the read reports it
            return Long.MAX_VALUE;
        }
        catch (IOException e) {
            throw failure(file, 0, e);
        }
    }

    private TraceReader open(Path file)
            throws IOException
    {
        return new TraceReader(Files.newInputStream(file), keys);
    }

    private Summary read(Path file, Consumer<TraceRecord> target)
    {
        long lookups = 0;
        long lost = 0;
        boolean cutOff = false;
        try (TraceReader reader = open(file)) {
            try {
                for (TraceRecord lookup = reader.next(); lookup != null; lookup = reader.next()) {
                    target.accept(lookup);
                    lookups++;
                    if (lookups % LOOKUPS_PER_MESSAGE == 0) {
                        console.progress(file + ": " + Words.number(lookups) + " lookups");
                    }
                }
            }
            catch (EOFException e) {
                cutOff = true;
            }
            lost = reader.lost();
        }
        catch (EOFException e) {
            // truncated within the header
            cutOff = true;
        }
        catch (IOException e) {
            throw failure(file, lookups, e);
        }
        return new Summary(file.toString(), lookups, lost, cutOff);
    }

    private static ReportedException failure(Path file, long lookups, IOException failure)
    {
        String reason = String.valueOf(failure.getMessage());
        if (failure instanceof NoSuchFileException) {
            return new ReportedException(file + " does not exist. Name a trace in cache.trace-directory: trace-….eyrie");
        }
        if (reason.contains("encrypted")) {
            return new ReportedException(file + ": " + reason + ". Name the file of its key with --key-file");
        }
        if (lookups > 0) {
            return new ReportedException(file + " is damaged after " + Words.count(lookups, "lookup") + ": " + reason + ". Omit it");
        }
        return new ReportedException(file + " cannot be read as a trace: " + reason);
    }
}
