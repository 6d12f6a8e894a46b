// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore;

import com.facebook.presto.hive.PartitionNameWithVersion;
import com.facebook.presto.hive.metastore.MetastoreContext;
import com.github.benmanes.caffeine.cache.Ticker;
import io.eyrie.cache.blob.BlobCache;
import io.eyrie.cache.blob.StoredState;
import io.eyrie.cache.page.PageCache;
import io.eyrie.metastore.MetastoreCacheConfig.CachedKinds;
import io.eyrie.metastore.entry.EntryLimits;
import io.eyrie.metastore.log.TestingEventLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static io.eyrie.metastore.Contexts.newQuery;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/** Stored metadata on a real disk, damaged or of another format. */
class StoredMetadataDamageTest
{
    private static final int DAMAGES = Boolean.getBoolean("eyrie.stress") ? 5000 : 100;
    private static final EntryLimits LIMITS = new EntryLimits(100_000_000, 100_000, Duration.ofHours(1), Duration.ofMinutes(10));
    private static final String NAME = "metadata";
    private final TestingMetastore store = new TestingMetastore();
    private final TestingEventLog log = new TestingEventLog();

    @Test
    void anyByte(@TempDir Path directory)
            throws IOException
    {
        log.alterTable("db", "first");
        IntStream.range(0, 300).forEach(i -> store.putPartition("p" + i, "s3://lake/" + i));
        Map<String, Object> truth;
        try (PageCache disk = CoordinatorProcess.open(directory)) {
            VersionedHiveMetastore first = metastore(disk);
            truth = plan(first);
            assertThat(first.flush()).isFalse();
        }
        Map<Path, byte[]> intact = read(directory);
        Map<Path, List<Integer>> written = new TreeMap<>();
        intact.forEach((file, bytes) -> written.put(file, used(bytes)));
        long seed = Long.getLong("eyrie.seed", System.nanoTime());
        Random random = new Random(seed);
        List<Path> files = intact.keySet().stream().sorted().toList();
        long lost = 0;
        for (int damage = 0; damage < DAMAGES; damage++) {
            Path file = files.get(random.nextInt(files.size()));
            byte[] bytes = requireNonNull(intact.get(file)).clone();
            List<Integer> used = requireNonNull(written.get(file));
            int at = used.isEmpty() ? random.nextInt(Math.max(1, bytes.length)) : used.get(random.nextInt(used.size()));
            if (bytes.length == 0) {
                continue;
            }
            bytes[at] ^= (byte) (1 + random.nextInt(255));
            write(directory, intact, file, bytes);
            try (PageCache disk = CoordinatorProcess.open(directory)) {
                VersionedHiveMetastore next = metastore(disk);
                assertThat(plan(next)).as("byte %s of %s; replay with -Deyrie.seed=%s", at, file, seed).isEqualTo(truth);
                if (next.counters().stored().entriesRead() < 302) {
                    lost++;
                }
            }
        }
        assertThat(lost).as("damages that cost entries").isPositive();
    }

    @Test
    void olderFormat(@TempDir Path directory)
            throws IOException
    {
        log.alterTable("db", "first");
        try (PageCache disk = CoordinatorProcess.open(directory)) {
            BlobCache blobs = disk.blobs().orElseThrow();
            new StoredState(NAME, blobs).write(ByteBuffer.allocate(100).putInt(0).array());
        }
        try (PageCache disk = CoordinatorProcess.open(directory)) {
            VersionedHiveMetastore next = metastore(disk);
            assertThat(next.counters().stored().undecodables()).isEqualTo(1);
            assertThat(plan(next)).isNotEmpty();
            assertThat(next.flush()).isFalse();
        }
        try (PageCache disk = CoordinatorProcess.open(directory)) {
            VersionedHiveMetastore next = metastore(disk);
            plan(next);
            assertThat(next.counters().stored().resumptions()).as("replaced by the current format").isEqualTo(1);
        }
    }

    private VersionedHiveMetastore metastore(PageCache disk)
    {
        VersionedHiveMetastore metastore = new VersionedHiveMetastore(store.metastore(), Optional.of(log), Optional.empty(),
                new MetastoreCacheConfig(LIMITS, CachedKinds.ALL, false, false, Duration.ZERO), Ticker.systemTicker());
        CoordinatorProcess.store(metastore, disk);
        return metastore;
    }

    private static Map<String, Object> plan(VersionedHiveMetastore metastore)
    {
        MetastoreContext query = newQuery();
        Map<String, Object> seen = new TreeMap<>();
        seen.put("table", metastore.getTable(query, "db", "t"));
        List<PartitionNameWithVersion> names = metastore.getPartitionNames(query, "db", "t").orElseThrow();
        seen.put("names", names);
        seen.putAll(metastore.getPartitionsByNames(query, "db", "t", names));
        return seen;
    }

    /* Most of a segment is empty. */
    private static List<Integer> used(byte[] bytes)
    {
        return IntStream.range(0, bytes.length).filter(i -> bytes[i] != 0).boxed().toList();
    }

    private static Map<Path, byte[]> read(Path directory)
            throws IOException
    {
        Map<Path, byte[]> all = new TreeMap<>();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                byte[] bytes = Files.readAllBytes(file);
                int end = bytes.length;
                while (end > 0 && bytes[end - 1] == 0) {
                    end--;
                }
                all.put(file, Arrays.copyOf(bytes, end));
            }
        }
        return all;
    }

    private static void write(Path directory, Map<Path, byte[]> intact, Path damaged, byte[] bytes)
            throws IOException
    {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(found -> Files.isRegularFile(found) && !intact.containsKey(found)).toList()) {
                Files.delete(file);
            }
        }
        for (Map.Entry<Path, byte[]> file : intact.entrySet()) {
            long length = Files.exists(file.getKey()) ? Files.size(file.getKey()) : 0;
            byte[] content = file.getKey().equals(damaged) ? bytes : file.getValue();
            try (FileChannel out = FileChannel.open(file.getKey(), StandardOpenOption.CREATE, StandardOpenOption.WRITE,
                    StandardOpenOption.TRUNCATE_EXISTING)) {
                int unused = out.write(ByteBuffer.wrap(content));
                if (length > content.length) {
                    unused = out.write(ByteBuffer.wrap(new byte[1]), length - 1);
                }
            }
        }
    }
}
