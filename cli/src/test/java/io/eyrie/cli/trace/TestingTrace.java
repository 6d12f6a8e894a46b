// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.trace;

import io.eyrie.cache.file.Scope;
import io.eyrie.cache.store.PageKey;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.ReadOutcome;
import io.eyrie.cache.store.StorageClass;
import io.eyrie.cache.trace.TraceRecord;
import io.eyrie.cache.trace.TraceWriter;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/** Traces for tests. */
final class TestingTrace
{
    static final int PAGE = 1 << 20;
    static final long BEGIN_MILLIS = 1_795_000_000_000L;

    private TestingTrace()
    {}

    static TraceRecord lookup(long millis, String table, long page, StorageClass storageClass, ReadOutcome outcome)
    {
        return new TraceRecord(
                millis,
                new PageKey(table.hashCode(), 7, page),
                new PageTags(new Scope("hive", "web", table, "ds=" + page % 3), storageClass),
                PAGE,
                0,
                PAGE / 2,
                outcome);
    }

    /** Returns lookups of popular pages, mixed with pages that are read once. */
    static List<TraceRecord> popular(int count)
    {
        SplittableRandom random = new SplittableRandom(5);
        List<TraceRecord> records = new ArrayList<>();
        Set<Long> seen = new HashSet<>();
        for (int i = 0; i < count; i++) {
            long page = random.nextInt(3) == 0 ? 1000 + i : random.nextInt(1 + random.nextInt(60));
            records.add(lookup(BEGIN_MILLIS + i, "clicks", page, StorageClass.DATA, seen.add(page) ? ReadOutcome.MISS : ReadOutcome.HIT));
        }
        return records;
    }

    static Path write(Path file, List<TraceRecord> records)
            throws IOException
    {
        try (TraceWriter writer = new TraceWriter(Files.newOutputStream(file), false)) {
            for (TraceRecord record : records) {
                writer.write(record);
            }
        }
        return file;
    }

    static Path cut(Path file)
            throws IOException
    {
        byte[] content = Files.readAllBytes(file);
        return Files.write(file, Arrays.copyOf(content, content.length * 2 / 3));
    }
}
