// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore;

import com.facebook.presto.hive.PartitionNameWithVersion;
import com.facebook.presto.hive.metastore.MetastoreContext;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.cache.blob.StoreBlobCache;
import io.eyrie.cache.store.PageWriter;
import io.eyrie.cache.store.ReadOutcome;
import io.eyrie.cache.store.TestingPageStore;
import io.eyrie.cache.store.WriteOutcome;
import io.eyrie.metastore.entry.CrashMark;
import io.eyrie.metastore.files.ListStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

import static io.eyrie.metastore.Contexts.newQuery;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** Coordinators on Presto's file metastore, which has no log, are restarted while another process writes to it. */
class FileMetastoreRestartTest
{
    private static final int PAGE_BYTES = 256 << 10;
    private static final CrashMark NEVER_CHANGES = new CrashMark() {
        @Override
        public long current()
        {
            return 0;
        }

        @Override
        public void renew()
        {
            throw new UnsupportedOperationException();
        }
    };

    private final TestingPageStore disk = new TestingPageStore();
    private final Path directory;
    private final FileMetastoreWriter writer;

    FileMetastoreRestartTest(@TempDir Path directory)
    {
        this.directory = directory;
        writer = new FileMetastoreWriter(directory);
    }

    /** A coordinator from its start to its end. */
    private final class Coordinator
    {
        private final PageWriter pages = new PageWriter(disk, 64 << 20, PAGE_BYTES);
        private final VersionedHiveMetastore metastore = FileMetastoreTest.cached(directory);
        private MetastoreContext query = newQuery();

        Coordinator()
        {
            metastore.storeIn(new StoreBlobCache(disk, pages, PAGE_BYTES, 16 << 20), "metadata", NEVER_CHANGES);
        }

        void flushAndEnd()
                throws InterruptedException
        {
            assertThat(metastore.flush()).isFalse();
            pages.close(10);
        }

        /** Plans a query over all partitions, and returns how often it called the metastore. */
        long misses()
        {
            query = newQuery();
            metastore.getTable(query, "one", "a");
            List<PartitionNameWithVersion> names = metastore.getPartitionNames(query, "one", "a").orElseThrow();
            metastore.getPartitionsByNames(query, "one", "a", names);
            metastore.getPartitionStatistics(query, "one", "a", Set.copyOf(FileMetastoreWriter.PARTITIONS));
            return query.getRuntimeStats().getMetric("eyrieMetastoreMisses").getSum();
        }

        /* Returns the owner of a list of the last query; empty if that has found no version. */
        Optional<ListStore.ListOwner> owner(String value)
        {
            List<String> values = value.isEmpty() ? List.of() : List.of(value);
            return metastore.versionOf(query.getQueryId(), "one", "a", values).map(version -> new ListStore.ListOwner("one", "a", values, version));
        }

        Optional<String> find(String value)
        {
            return owner(value).flatMap(owner -> metastore.find(owner, new BlobKey(1, 2))).map(list -> UTF_8.decode(list.list()).toString());
        }
    }

    @Test
    void onlyTheNamesAreReadByTheMetastore()
            throws InterruptedException
    {
        writer.table("one", "a", 1);
        writer.addPartitions("one", "a", FileMetastoreWriter.PARTITIONS, 1);
        Coordinator first = new Coordinator();
        assertThat(first.misses()).isGreaterThan(2L * FileMetastoreWriter.PARTITIONS.size());
        first.flushAndEnd();
        Coordinator next = new Coordinator();
        assertThat(next.misses()).as("the names").isEqualTo(1);
        assertThat(next.metastore.counters().stored().entriesRead()).isEqualTo(1 + 2L * FileMetastoreWriter.PARTITIONS.size());
    }

    @Test
    void fileListsUnderTheVersionsOfTheMetastore()
            throws InterruptedException
    {
        writer.table("one", "a", 1);
        writer.addPartitions("one", "a", FileMetastoreWriter.PARTITIONS, 1);
        Coordinator first = new Coordinator();
        long unused = first.misses();
        for (String value : List.of("", "1", "2")) {
            first.metastore.offer(first.owner(value).orElseThrow(), new BlobKey(1, 2), () -> Optional.of(("files of " + value).getBytes(UTF_8)));
        }
        first.flushAndEnd();
        Coordinator next = new Coordinator();
        assertThat(next.find("1")).as("before a query has found a version").isEmpty();
        unused = next.misses();
        assertThat(next.find("1")).contains("files of 1");
        assertThat(next.find("")).contains("files of ");
        assertThat(next.find("3")).isEmpty();
        next.flushAndEnd();
        writer.metastore().updatePartitionStatistics(newQuery(), "one", "a", "p=1", old -> FileMetastoreWriter.statistics(7));
        Coordinator third = new Coordinator();
        unused = third.misses();
        assertThat(third.find("1")).as("changed").isEmpty();
        assertThat(third.find("2")).contains("files of 2");
        third.metastore.forget("one", "a", false);
        assertThat(third.find("2")).isEmpty();
        third.flushAndEnd();
        Coordinator fourth = new Coordinator();
        unused = fourth.misses();
        assertThat(fourth.find("2")).isEmpty();
    }

    @Test
    void nextQueryEqualsTheTruth()
            throws InterruptedException
    {
        long seed = Long.getLong("eyrie.seed", System.nanoTime());
        Random random = new Random(seed);
        List<String> done = new ArrayList<>();
        Coordinator coordinator = new Coordinator();
        long read = 0;
        for (int step = 0; step < (Boolean.getBoolean("eyrie.stress") ? 2000 : 150); step++) {
            done.add(writer.change(random, step));
            if (random.nextInt(3) == 0) {
                boolean unused = coordinator.metastore.flush();
                done.add("flush");
            }
            if (random.nextInt(3) == 0) {
                read += coordinator.metastore.counters().stored().entriesRead();
                coordinator.pages.close(10);
                coordinator = new Coordinator();
                done.add("restart");
            }
            if (random.nextInt(10) == 0) {
                int lost = random.nextInt(3);
                disk.setWriteFault(key -> random.nextInt(4) < lost ? Optional.of(WriteOutcome.BUSY) : Optional.empty());
                disk.setReadFault(key -> random.nextInt(20) < lost ? Optional.of(ReadOutcome.MISS) : Optional.empty());
            }
            assertThat(FileMetastoreTest.everything(coordinator.metastore)).as("after %s; replay with -Deyrie.seed=%s", done, seed)
                    .isEqualTo(FileMetastoreTest.everything(new FileMetastoreWriter(directory).metastore()));
        }
        assertThat(read).isPositive();
    }
}
