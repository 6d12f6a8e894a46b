// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.trace;

import io.eyrie.cache.file.Scope;
import io.eyrie.cache.store.PageKey;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.ReadOutcome;
import io.eyrie.cache.store.StorageClass;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

class TimedTraceTest
{
    private final Path directory;
    private final AtomicLong millis = new AtomicLong(1_000);
    private final TimedTrace trace;

    TimedTraceTest(@TempDir Path directory)
    {
        this.directory = directory;
        trace = new TimedTrace(directory, Optional.empty(), millis::get);
    }

    @AfterEach
    void close()
    {
        trace.close();
    }

    @Test
    void recordsFromWhenItIsToldUntilTheTime()
            throws IOException
    {
        hear(1);
        trace.recordUntil(2_000);
        hear(2);
        trace.recordUntil(3_000);
        millis.set(2_500);
        hear(3);
        millis.set(3_000);
        hear(4);
        trace.close();
        assertThat(files()).hasSize(1);
        assertThat(pages(files().get(0))).containsExactly(2L, 3L);
    }

    @Test
    void directoryFullOfTraces()
            throws IOException
    {
        try (RandomAccessFile old = new RandomAccessFile(directory.resolve("trace-20210101-000000-000-1.eyrie").toFile(), "rw")) {
            old.setLength(TraceFile.MOST_BYTES);
        }
        trace.recordUntil(2_000);
        hear(1);
        assertThat(files()).as("files").hasSize(1);
        Files.delete(files().get(0));
        trace.recordUntil(3_000);
        hear(2);
        trace.close();
        assertThat(pages(files().get(0))).containsExactly(2L);
    }

    @Test
    void recordsAgainInAnotherFile()
            throws IOException
    {
        trace.recordUntil(2_000);
        hear(1);
        trace.recordUntil(0);
        hear(2);
        assertThat(files()).hasSize(1);
        assertThat(pages(files().get(0))).as("ended at once").containsExactly(1L);
        trace.recordUntil(1_000);
        assertThat(files()).as("a time that is over").hasSize(1);
        // a file's name is the time in milliseconds
        long begun = System.currentTimeMillis();
        while (System.currentTimeMillis() == begun) {
            Thread.onSpinWait();
        }
        trace.recordUntil(2_000);
        assertThat(files()).hasSize(2);
    }

    @Test
    void directoryThatIsGoneCostsTheTraceAlone()
            throws IOException
    {
        Files.delete(directory);
        trace.recordUntil(2_000);
        hear(1);
        Files.createDirectory(directory);
        trace.recordUntil(2_000);
        hear(2);
        trace.close();
        assertThat(pages(files().get(0))).containsExactly(2L);
        trace.recordUntil(2_000);
        assertThat(files()).as("after the end").hasSize(1);
    }

    private void hear(long page)
    {
        trace.onLookup(new PageKey(1, 2, page), new PageTags(Scope.NONE, StorageClass.DATA), 10, 0, 10, ReadOutcome.HIT);
    }

    private List<Path> files()
            throws IOException
    {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }

    private static List<Long> pages(Path file)
            throws IOException
    {
        List<Long> pages = new ArrayList<>();
        try (TraceReader reader = new TraceReader(Files.newInputStream(file))) {
            for (TraceRecord record = reader.next(); record != null; record = reader.next()) {
                pages.add(record.page().pageNumber());
            }
        }
        return pages;
    }
}
