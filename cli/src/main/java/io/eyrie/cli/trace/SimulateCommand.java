// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.trace;

import io.eyrie.cache.simulation.PageAccesses;
import io.eyrie.cache.store.ReadOutcome;
import io.eyrie.cli.console.Console;
import io.eyrie.cli.console.DataSizeConverter;
import io.eyrie.cli.console.JsonFile;
import io.eyrie.cli.key.KeyFiles;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;

import static java.util.Objects.requireNonNull;

/** The command {@code eyrie simulate}. */
@Command(name = "simulate", mixinStandardHelpOptions = true, sortOptions = false, description = "Replays a trace on simulated caches: "
        + "reports hit ratio and remote bytes for each capacity and eviction policy, and for Belady's optimum.")
public final class SimulateCommand
        implements Callable<Integer>
{
    private static final int LEAST_SHARE = 16;
    private static final int MOST_SHARE = 2;

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(arity = "1..*", paramLabel = "TRACE", description = "Consecutive traces of one worker's cache.")
    private List<Path> traces = List.of();

    @Option(names = "--capacity", paramLabel = "SIZE", split = ",", converter = DataSizeConverter.class, description = "Capacities, such as "
            + "100GB,200GB. Default: from a sixteenth of the bytes of all requested pages up to twice these bytes, each double the one before.")
    private List<Long> capacities = List.of();

    @Option(names = "--now", paramLabel = "SIZE", converter = DataSizeConverter.class, description = "The cache's current capacity: also reports "
            + "the effect of doubling it.")
    private @Nullable Long now;

    @Option(names = "--html", paramLabel = "FILE", description = "Writes an HTML page with the curves to this file.")
    private @Nullable Path html;

    @Mixin
    private KeyFiles keys = new KeyFiles();

    @Option(names = "--json", paramLabel = "FILE", description = "Also writes the numbers to this file, as JSON.")
    private @Nullable Path json;

    @Override
    public Integer call()
            throws IOException
    {
        CommandSpec command = requireNonNull(spec, "spec is null");
        check(command);
        JsonFile file = JsonFile.option(command, json);
        JsonFile.check(command, "--html", html);
        Console progress = new Console(command.commandLine().getErr());
        PageAccesses.Builder builder = new PageAccesses.Builder();
        long[] recordedHits = {0};
        List<TraceFiles.Summary> summaries = new TraceFiles(keys.load(), progress).read(traces, lookup -> {
            recordedHits[0] += lookup.outcome() == ReadOutcome.HIT ? 1 : 0;
            builder.add(lookup);
        });
        PageAccesses accesses = builder.build();
        long nowBytes = now == null ? 0 : now;
        SimulationReport report = SimulationReport.of(summaries, accesses, recordedHits[0], capacities(accesses), nowBytes, progress);
        new Console(command.commandLine().getOut()).print(report.text());
        file.write(report);
        if (html != null) {
            Files.writeString(html, SimulationPage.of(report));
            progress.progress("Wrote the curves to " + html);
        }
        return 0;
    }

    private void check(CommandSpec command)
    {
        boolean wrong = capacities.stream().anyMatch(capacity -> capacity < 1) || (now != null && now < 1);
        if (wrong) {
            throw new ParameterException(command.commandLine(), "a capacity must be more than 0B");
        }
    }

    /** Returns the capacities in ascending order, including the present one and twice that if {@code --now} is given. */
    private Set<Long> capacities(PageAccesses accesses)
    {
        Set<Long> bytes = new TreeSet<>();
        bytes.addAll(capacities);
        if (bytes.isEmpty()) {
            long mostBytes = MOST_SHARE * accesses.footprintBytes();
            for (int share = 1; share <= MOST_SHARE * LEAST_SHARE; share *= 2) {
                bytes.add(Math.max(1, mostBytes / share));
            }
        }
        if (now != null) {
            bytes.add(now);
            bytes.add(SimulationReport.twice(now));
        }
        return bytes;
    }
}
