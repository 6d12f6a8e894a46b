// SPDX-License-Identifier: Apache-2.0
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

/** Traces that {@link TraceRecording} recorded on a Presto worker, in the resources of this package. */
enum RecordedTrace
{
    TPCH_ORC,
    TPCDS_ORC;

    /** Returns the name of the trace and of its file. */
    String title()
    {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the lookups, page by page. */
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
            // the process was stopped without closing its trace; the records before the end are valid
        }
        catch (IOException e) {
            throw new UncheckedIOException(title(), e);
        }
        return accesses.build();
    }
}
