// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.page;

import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.store.TestingPageStore;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

import static io.eyrie.cache.page.TestingFiles.SCOPE;
import static io.eyrie.cache.page.TestingFiles.version;
import static io.eyrie.cache.page.TestingSource.randomBytes;
import static org.assertj.core.api.Assertions.assertThat;

/** Tests cold scans of some columns, with the reads of ORC and Parquet readers and the default page size. */
final class ColumnarScanTest
{
    private static final int FILE_BYTES = 64 << 20;
    private static final int READ_BYTES = 8 << 20;
    private static final byte[] CONTENT = randomBytes(1, FILE_BYTES);

    /** The bytes of one read. */
    private record Chunk(int position, int length)
    {}

    @ParameterizedTest
    @CsvSource({
            // granule size, size of a row group or stripe, columns, columns that are read, maximum gap for which the reader merges reads
            "4096, 16777216, 16, 3, 1048576",
            "16384, 16777216, 16, 3, 1048576",
            "16384, 16777216, 16, 3, 0",
            "16384, 33554432, 60, 5, 0",
            "16384, 8388608, 30, 4, 0",
            "65536, 33554432, 16, 3, 0",
    })
    void coldScanFetchesLittleMoreThanItAsksFor(int granuleBytes, int groupBytes, int columns, int read, int mergeBytes)
            throws IOException
    {
        List<Chunk> chunks = chunks(groupBytes, columns, read, mergeBytes);
        AtomicLong fetched = new AtomicLong();
        AtomicLong requests = new AtomicLong();
        TestingSource source = new TestingSource(CONTENT).withHook((position, length) -> {
            fetched.addAndGet(length);
            requests.incrementAndGet();
        });
        PageCacheConfig config = PageCacheConfig.builder().build();
        try (ReadThroughPageCache cache = new ReadThroughPageCache(new TestingPageStore(granuleBytes), config);
                CachedFile file = cache.open(version(CONTENT, 1), source, new ReadContext(SCOPE, CacheMode.READ_WRITE, ReadListener.NOOP))) {
            long asked = 0;
            for (Chunk chunk : chunks) {
                TestingFiles.readAndCheck(file, CONTENT, chunk.position, chunk.length);
                asked += chunk.length;
            }
            assertThat((double) fetched.get() / asked).as("%s bytes fetched for %s in %s requests for %s reads", fetched, asked, requests, chunks
                    .size())
                    .isBetween(1.0, 1.3);
            assertThat(requests.get()).isLessThanOrEqualTo(chunks.size() + asked / ReadThroughPageCache.PARALLEL_FETCH_BYTES + 1);
        }
    }

    /**
     * Returns the reads: first the tail, then the columns of each group, each column with its own width; adjacent columns are one read if the gap is
     * small.
     */
    private static List<Chunk> chunks(int groupBytes, int columns, int read, int mergeBytes)
    {
        Random random = new Random(1);
        List<Integer> chosen = new ArrayList<>();
        for (int column = 0; column < columns; column++) {
            chosen.add(column);
        }
        Collections.shuffle(chosen, random);
        List<Integer> wanted = chosen.subList(0, read);
        int[] widths = random.ints(columns, 1, 20).toArray();
        int sum = Arrays.stream(widths).sum();
        List<Chunk> chunks = new ArrayList<>();
        chunks.add(new Chunk(FILE_BYTES - 16_000, 16_000));
        for (int group = 0; group + groupBytes <= FILE_BYTES; group += groupBytes) {
            long position = group;
            int last = -1;
            for (int column = 0; column < columns; column++) {
                int length = (int) ((long) groupBytes * widths[column] / sum);
                if (wanted.contains(column)) {
                    Chunk before = last < 0 ? null : chunks.get(last);
                    if (before != null && position - before.position - before.length < mergeBytes && position + length
                            - before.position <= READ_BYTES) {
                        chunks.set(last, new Chunk(before.position, (int) position + length - before.position));
                    }
                    else {
                        last = chunks.size();
                        chunks.add(new Chunk((int) position, length));
                    }
                }
                position += length;
            }
        }
        return chunks;
    }
}
