// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.file.Scope;
import io.eyrie.cache.policy.EvictionKind;
import io.eyrie.cache.policy.RestoreOrder;
import io.eyrie.cache.store.PageKey;
import io.eyrie.cache.store.PageStoreStats;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.PastEviction;
import io.eyrie.cache.store.ReadOutcome;
import io.eyrie.cache.store.ScopeUsage;
import io.eyrie.cache.store.StorageClass;
import io.eyrie.cache.store.WriteOutcome;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import javax.management.JMException;
import javax.management.ObjectName;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests an index that is full although the disk is not: it evicts, and retains the more useful entries. */
final class IndexMemoryTest
{
    private static final int ENTRIES = 1000;
    private static final int TINY = 100;
    private static final int PAGE = 64 << 10;
    private static final int FILE_OF_TINY = 1_000_000;
    private static final Scope SCOPE = new Scope("hive", "web", "clicks", "ds=1");
    private static final Scope OTHER_SCOPE = new Scope("hive", "web", "views", "ds=1");

    private TestingStore testing = new TestingStore(TestingStore.config(TestingStore.A)
            .pageSizeBytes(PAGE)
            .granuleSizeBytes(PAGE / 8)
            .capacityBytes(1L << 30)
            .indexMemoryBytes(indexBytes(ENTRIES))
            .build());

    @AfterEach
    void checkAndClose()
    {
        testing.check();
        assertThat(stats().currentIndexBytes()).isLessThanOrEqualTo(testing.config().indexMemoryBytes());
        testing.close();
    }

    /** Returns the memory for {@code entries} entries of two scopes. */
    private static long indexBytes(int entries)
    {
        return (long) entries * TableSettings.BYTES_PER_PAGE + 2 * Scopes.BYTES_PER_SCOPE;
    }

    private PageStoreStats stats()
    {
        return testing.store().stats();
    }

    private WriteOutcome write(PageKey key, Scope scope, StorageClass storageClass, int length)
    {
        ByteBuffer content = ByteBuffer.wrap(TestingStore.content(key, length));
        return testing.store().write(key, new PageTags(scope, storageClass), length, 0, content, testing.store().epoch());
    }

    /** Writes pages of a few bytes, each of a separate file. */
    private int writeTiny(int from, int to, Scope scope, StorageClass storageClass)
    {
        return (int) IntStream.range(from, to)
                .filter(file -> write(TestingStore.key(FILE_OF_TINY + file, 0), scope, storageClass, TINY) == WriteOutcome.STORED)
                .count();
    }

    private int writePages(int from, int to)
    {
        return (int) IntStream.range(from, to)
                .filter(page -> write(TestingStore.key(0, page), SCOPE, StorageClass.DATA, PAGE) == WriteOutcome.STORED)
                .count();
    }

    private long pages(StorageClass storageClass)
    {
        return testing.store().contents().getOrDefault(new PageTags(OTHER_SCOPE, storageClass), new ScopeUsage(0, 0)).pages();
    }

    private int hits(int from, int to)
    {
        return (int) IntStream.range(from, to)
                .filter(page -> testing.store().read(TestingStore.key(0, page), 0, ByteBuffer.allocate(PAGE)) == ReadOutcome.HIT)
                .count();
    }

    @Test
    void indexThatIsFullEvictsAndCounts()
    {
        assertThat(writeTiny(0, 3 * ENTRIES, Scope.NONE, StorageClass.DATA)).isEqualTo(3 * ENTRIES);

        assertThat(stats().memoryDeclines()).isZero();
        assertThat(stats().currentPages()).isBetween((long) ENTRIES, ENTRIES + 10L);
        assertThat(stats().indexEvictions()).isEqualTo(3 * ENTRIES - stats().currentPages());
        assertThat(stats().evictions()).isEqualTo(stats().indexEvictions());
        assertThat(IntStream.range(0, 3 * ENTRIES).filter(file -> testing.store().pastEviction(TestingStore.key(FILE_OF_TINY + file, 0),
                0) == PastEviction.EARLIER).count())
                .as("a larger disk would not have them either")
                .isBetween(stats().evictions() * 9 / 10, stats().evictions());
    }

    @ParameterizedTest
    @EnumSource(value = StorageClass.class, names = "DATA", mode = EnumSource.Mode.EXCLUDE)
    void smallEntriesOfAnotherClassDoNotLockPagesOut(StorageClass storageClass)
    {
        writeTiny(0, ENTRIES, OTHER_SCOPE, storageClass);

        assertThat(writePages(0, 200)).isEqualTo(200);
        assertThat(hits(0, 200)).isEqualTo(200);

        // and vice versa
        writeTiny(ENTRIES, 2 * ENTRIES, OTHER_SCOPE, storageClass);
        assertThat(hits(0, 200)).isEqualTo(200);
        writePages(200, ENTRIES + 200);
        assertThat(pages(storageClass)).isGreaterThanOrEqualTo(ENTRIES / 3);
    }

    @Test
    void resultsAndFootersLeaveRoomForEachOther()
    {
        writeTiny(0, ENTRIES, OTHER_SCOPE, StorageClass.FOOTER);
        writeTiny(ENTRIES, 2 * ENTRIES, OTHER_SCOPE, StorageClass.RESULT);
        assertThat(pages(StorageClass.RESULT)).isGreaterThanOrEqualTo(ENTRIES / 3);
        writeTiny(2 * ENTRIES, 3 * ENTRIES, OTHER_SCOPE, StorageClass.FOOTER);
        assertThat(pages(StorageClass.FOOTER)).isGreaterThanOrEqualTo(ENTRIES / 3);
    }

    @Test
    void smallPagesThatAreReadOnceDoNotDriveOutHotOnes()
    {
        writePages(0, 200);
        for (int round = 0; round < 10; round++) {
            assertThat(hits(0, 200)).isEqualTo(200);
            writeTiny(round * ENTRIES, (round + 1) * ENTRIES, SCOPE, StorageClass.DATA);
        }
        assertThat(hits(0, 200)).isGreaterThan(190);
    }

    @Test
    void smallPagesOfOneQuotaDoNotDriveOutThoseOfAnother()
    {
        testing.setQuota(SCOPE, 1 << 28);
        testing.setQuota(OTHER_SCOPE, 1 << 28);
        writePages(0, 100);
        writeTiny(0, ENTRIES + ENTRIES / 5, OTHER_SCOPE, StorageClass.DATA);
        assertThat(hits(0, 100)).isGreaterThan(50);
    }

    @Test
    void pinnedPagesFillTheIndexAndTheRestIsDeclined()
    {
        testing.store().setPins(Set.of(SCOPE));
        assertThat(writeTiny(0, ENTRIES, SCOPE, StorageClass.DATA)).isEqualTo(ENTRIES);
        assertThat(writeTiny(ENTRIES, 2 * ENTRIES, SCOPE, StorageClass.DATA)).isLessThan(10);
        assertThat(stats().memoryDeclines()).isBetween(ENTRIES - 10L, (long) ENTRIES);
        assertThat(stats().evictions()).isZero();

        testing.store().setPins(Set.of());
        assertThat(writeTiny(2 * ENTRIES, 3 * ENTRIES, SCOPE, StorageClass.DATA)).isEqualTo(ENTRIES);
    }

    @Test
    void scopesTakeRoomInTheIndexToo()
    {
        for (int i = 0; i < ENTRIES; i++) {
            Scope scope = new Scope("hive", "web", "clicks", "ds=" + i);
            assertThat(writeTiny(i, i + 1, scope, StorageClass.DATA)).isEqualTo(1);
            assertThat(stats().currentIndexBytes()).isLessThanOrEqualTo(testing.config().indexMemoryBytes());
        }
        assertThat(stats().currentPages()).isEqualTo(testing.config().indexMemoryBytes() / (TableSettings.BYTES_PER_PAGE + Scopes.BYTES_PER_SCOPE));
        testing.restart();
        assertThat(stats().recoveredPages()).isEqualTo(testing.config().indexMemoryBytes() / (TableSettings.BYTES_PER_PAGE + Scopes.BYTES_PER_SCOPE));
    }

    /* Thirteen bytes per page, which no counter includes. */
    @Test
    void orderOfARestartIsGivenUp()
            throws JMException
    {
        writeTiny(0, ENTRIES, SCOPE, StorageClass.DATA);
        testing.restart();
        assertThat(stats().recoveredPages()).isEqualTo(ENTRIES);
        assertThat(liveObjects()).contains(PageIndex.class.getName()).doesNotContain(RestoreOrder.class.getName());
    }

    private static String liveObjects()
            throws JMException
    {
        return (String) ManagementFactory.getPlatformMBeanServer().invoke(new ObjectName("com.sun.management:type=DiagnosticCommand"),
                "gcClassHistogram", new Object[] {new String[0]}, new String[] {String[].class.getName()});
    }

    @Test
    void invalidPagesGiveWayFirst()
    {
        writePages(0, ENTRIES / 2);
        writeTiny(0, ENTRIES / 2, OTHER_SCOPE, StorageClass.DATA);
        testing.store().invalidate(OTHER_SCOPE);
        writePages(ENTRIES / 2, ENTRIES);
        assertThat(hits(0, ENTRIES)).isEqualTo(ENTRIES);
        assertThat(stats().indexEvictions()).isZero();
    }

    @ParameterizedTest
    @EnumSource(EvictionKind.class)
    void restartWithASmallerIndexKeepsWhatIsUsed(EvictionKind policy)
    {
        restartWith(ENTRIES, policy);
        writeTiny(0, ENTRIES / 2, OTHER_SCOPE, StorageClass.DATA);
        writePages(0, 100);
        for (int round = 0; round < 3; round++) {
            writeTiny(ENTRIES * (round + 1), ENTRIES * (round + 1) + 300, OTHER_SCOPE, StorageClass.DATA);
            assertThat(hits(0, 100)).isGreaterThan(90);
        }
        restartWith(ENTRIES / 5, policy);
        testing.check();
        assertThat(stats().currentPages()).isBetween(ENTRIES / 5 - 10L, ENTRIES / 5 + 10L);
        assertThat(stats().indexEvictions()).isEqualTo(ENTRIES - stats().currentPages());
        assertThat(hits(0, 100)).isGreaterThan(90);

        // a larger index does not bring back dropped pages, and does not lose those that took their place
        writePages(100, 110);
        long pages = stats().currentPages();
        testing.kill();
        testing.check();
        assertThat(stats().currentPages()).isBetween(pages - 10, pages);
        restartWith(ENTRIES, policy);
        testing.check();
        assertThat(stats().recoveryDrops()).isZero();
    }

    @Test
    void restartWithASmallerIndexKeepsQuotasAndClasses()
    {
        testing.setQuota(SCOPE, 1 << 28);
        writePages(0, ENTRIES / 2);
        writeTiny(0, ENTRIES / 4, OTHER_SCOPE, StorageClass.FOOTER);
        writeTiny(ENTRIES / 4, ENTRIES / 2, OTHER_SCOPE, StorageClass.RESULT);
        restartWith(ENTRIES / 2, EvictionKind.S3_FIFO);
        assertThat(testing.store().quotas()).containsOnlyKeys(SCOPE);
        assertThat(stats().currentPages()).isBetween(ENTRIES / 2 - 10L, (long) ENTRIES / 2);
        assertThat(testing.store().contents()).containsOnlyKeys(new PageTags(SCOPE, StorageClass.DATA), new PageTags(OTHER_SCOPE,
                StorageClass.FOOTER),
                new PageTags(OTHER_SCOPE, StorageClass.RESULT));
    }

    private void restartWith(int entries, EvictionKind policy)
    {
        testing.restart(testing.config().toBuilder().indexMemoryBytes(indexBytes(entries)).evictionPolicy(policy).build());
    }
}
