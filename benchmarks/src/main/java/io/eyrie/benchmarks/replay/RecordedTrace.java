package io.eyrie.benchmarks.replay;

import io.eyrie.cache.trace.PageAccesses;
import io.eyrie.cache.trace.TraceReader;
import io.eyrie.cache.trace.TraceRecord;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

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
        Map<Object, Long> pages = new HashMap<>();
        LongStream.Builder numbers = LongStream.builder();
        IntStream.Builder lengths = IntStream.builder();
        InputStream in = requireNonNull(RecordedTrace.class.getResourceAsStream(title() + ".eyrie"), () -> "no resource " + title());
        try (TraceReader reader = new TraceReader(in)) {
            for (TraceRecord lookup = reader.next(); lookup != null; lookup = reader.next()) {
                numbers.add(pages.computeIfAbsent(lookup.page(), page -> (long) pages.size()));
                lengths.add(lookup.pageLengthBytes());
            }
        }
        catch (EOFException e) {
            // a trace ends with its process, whom nobody told: what is there is right
        }
        catch (IOException e) {
            throw new UncheckedIOException(title(), e);
        }
        return new PageAccesses(numbers.build().toArray(), lengths.build().toArray());
    }
}
