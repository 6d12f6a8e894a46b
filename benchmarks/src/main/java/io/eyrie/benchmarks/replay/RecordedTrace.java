package io.eyrie.benchmarks.replay;

import io.eyrie.cache.simulation.PageAccesses;
import io.eyrie.cache.trace.TraceReader;
import io.eyrie.cache.trace.TraceRecord;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Locale;

import static java.util.Objects.requireNonNull;

/** Traces that {@link TraceRecording} took of a worker of Presto, in the resources of this package. */
enum RecordedTrace
{
    TPCH_ORC,
    TPCDS_ORC;

    /** The trace's name, and its file's. */
    String title()
    {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** What was looked up, page by page. */
    PageAccesses read()
    {
        PageAccesses.Builder accesses = new PageAccesses.Builder();
        InputStream in = requireNonNull(RecordedTrace.class.getResourceAsStream(title() + ".eyrie"), () -> "no resource " + title());
        try (TraceReader reader = new TraceReader(in)) {
            for (TraceRecord lookup = reader.next(); lookup != null; lookup = reader.next()) {
                accesses.add(lookup);
            }
        }
        catch (EOFException e) {
            // a trace ends with its process, whom nobody told: what is there is right
        }
        catch (IOException e) {
            throw new UncheckedIOException(title(), e);
        }
        return accesses.build();
    }
}
