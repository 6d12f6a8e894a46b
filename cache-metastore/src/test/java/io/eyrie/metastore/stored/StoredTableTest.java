// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.stored;

import io.eyrie.cache.blob.BlobCache;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.cache.blob.StoreBlobCache;
import io.eyrie.cache.store.PageWriter;
import io.eyrie.cache.store.ReadOutcome;
import io.eyrie.cache.store.TestingPageStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class StoredTableTest
{
    private static final int PAGE_BYTES = 1 << 20;

    private final TestingPageStore pages = new TestingPageStore();
    private final PageWriter writer = new PageWriter(pages, 64 << 20, PAGE_BYTES);
    private final BlobCache cache = new StoreBlobCache(pages, writer, PAGE_BYTES, 16 << 20);
    private final StoredBlobs blobs = new StoredBlobs(cache);
    private final List<BlobKey> replaced = new ArrayList<>();

    @AfterEach
    void close()
            throws InterruptedException
    {
        writer.close(10);
    }

    @Test
    void valuesOfManyWritesByAnotherObject()
            throws InterruptedException
    {
        Random random = new Random(1);
        TreeMap<String, StoredValue> truth = new TreeMap<>();
        StoredTable table = new StoredTable(blobs);
        for (int write = 0; write < 30; write++) {
            TreeMap<String, StoredValue> values = new TreeMap<>();
            for (int i = 0; i < 200; i++) {
                values.put("key " + random.nextInt(3000), value(write, 1 + random.nextInt(2000)));
            }
            replaced.clear();
            PageWriter next = new PageWriter(pages, 64 << 20, PAGE_BYTES);
            StoredBlobs later = new StoredBlobs(new StoreBlobCache(pages, next, PAGE_BYTES, 16 << 20));
            BlobKey index = table.index().orElse(null);
            table = index == null ? new StoredTable(later) : new StoredTable(later, index);
            table.near(List.of(""));
            Set<BlobKey> before = new HashSet<>(table.blobs());
            SortedMap<String, StoredValue> left = table.write(values, (key, value) -> true, later.writtenBytes() + 500_000, replaced);
            table.write(left.isEmpty() ? values : new TreeMap<>(left), (key, value) -> true, Long.MAX_VALUE, replaced);
            next.close(10);
            truth.putAll(values);
            before.removeAll(table.blobs());
            assertThat(left.size()).isLessThan(values.size());
            assertThat(replaced).containsAll(before).doesNotContainAnyElementsOf(table.blobs());
        }
        writer.close(10);
        StoredTable again = new StoredTable(new StoredBlobs(cache), table.index().orElseThrow());
        assertThat(again.near(truth.keySet())).isEqualTo(truth);
        assertThat(again.blobs()).hasSameElementsAs(table.blobs()).hasSizeGreaterThan(20);
        SortedMap<String, StoredValue> few = again.near(List.of("key 7"));
        assertThat(few).hasSizeBetween(1, 500).isEqualTo(truth.subMap(few.firstKey(), few.lastKey() + "\0"));
    }

    @Test
    void valuesThatAreNoLongerValidMakeRoom()
            throws InterruptedException
    {
        StoredTable table = new StoredTable(blobs);
        table.write(new TreeMap<>(Map.of("a", value(1, 10), "b", value(1, 10))), (key, value) -> true, Long.MAX_VALUE, replaced);
        writer.close(10);
        PageWriter second = new PageWriter(pages, 64 << 20, PAGE_BYTES);
        StoredBlobs later = new StoredBlobs(new StoreBlobCache(pages, second, PAGE_BYTES, 16 << 20));
        StoredTable again = new StoredTable(later, table.index().orElseThrow());
        again.write(new TreeMap<>(Map.of("c", value(2, 10))), (key, value) -> key.equals("b"), Long.MAX_VALUE, replaced);
        second.close(10);
        assertThat(new StoredTable(new StoredBlobs(cache), again.index().orElseThrow()).near(List.of("a"))).containsOnlyKeys("b", "c");
    }

    @Test
    void lostBlobs()
            throws InterruptedException
    {
        StoredTable table = new StoredTable(blobs);
        table.write(new TreeMap<>(Map.of("a", value(1, 10))), (key, value) -> true, Long.MAX_VALUE, replaced);
        writer.close(10);
        StoredBlobs later = new StoredBlobs(cache);
        StoredTable again = new StoredTable(later, table.index().orElseThrow());
        assertThat(again.near(List.of("a"))).containsOnlyKeys("a");
        pages.setReadFault(key -> Optional.of(ReadOutcome.MISS));
        assertThat(again.near(List.of("a"))).isEmpty();
        assertThat(new StoredTable(later, table.index().orElseThrow()).near(List.of("a"))).isEmpty();
        assertThat(later.lostBlobs()).isEqualTo(2);
    }

    private static StoredValue value(long version, int bytes)
    {
        return new StoredValue(version, version + 1, ByteBuffer.wrap(("shared " + version % 3).getBytes(UTF_8)),
                ByteBuffer.wrap(new byte[bytes]));
    }
}
