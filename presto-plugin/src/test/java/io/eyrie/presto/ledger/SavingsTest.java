// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.ledger;

import io.eyrie.cache.PageCaches;
import io.eyrie.cache.admission.AdmissionConfig;
import io.eyrie.cache.admission.TablePattern;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.page.PageCache;
import io.eyrie.presto.ledger.Savings.Amounts;
import io.eyrie.presto.ledger.Savings.DayTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/** Tests the bounds of the savings and how they survive restarts. */
class SavingsTest
{
    private static final long DAY = 20_000;

    private final AtomicLong millis = new AtomicLong(Duration.ofDays(DAY).toMillis());
    private final AtomicLong nanos = new AtomicLong();

    private static Scope table(String name)
    {
        return new Scope("hive", "web", name, "ds=1");
    }

    private Savings savings()
    {
        return new Savings(millis::get, nanos::get);
    }

    private static Map<DayTable, Amounts> rows(Savings savings)
    {
        Map<DayTable, Amounts> rows = new HashMap<>();
        savings.forEach(rows::put);
        return rows;
    }

    private static Amounts row(Savings savings, long day, String table)
    {
        return requireNonNull(rows(savings).get(new DayTable(day, "web", table)), table);
    }

    @Test
    void workIsCountedByDayAndTable()
    {
        Savings savings = savings();
        savings.of(table("clicks")).add(WorkKind.BYTES, 100, 0);
        savings.of(table("clicks")).add(WorkKind.BYTES, 0, 130);
        savings.of(table("users")).add(WorkKind.GET_REQUESTS, 1, 0);
        millis.addAndGet(Duration.ofDays(1).toMillis());
        savings.of(table("clicks")).add(WorkKind.BYTES, 100, 0);

        assertThat(row(savings, DAY, "clicks").saved(WorkKind.BYTES)).as("the cache read more than was requested").isEqualTo(-30);
        assertThat(row(savings, DAY + 1, "clicks").saved(WorkKind.BYTES)).isEqualTo(100);
        assertThat(row(savings, DAY, "users").saved(WorkKind.GET_REQUESTS)).isEqualTo(1);
        assertThat(savings.total().requested(WorkKind.BYTES)).isEqualTo(200);
        assertThat(savings.total().done(WorkKind.BYTES)).isEqualTo(130);
        assertThat(savings.ofToday().saved(WorkKind.BYTES)).isEqualTo(100);
    }

    @Test
    void daysAndTablesAreBounded()
    {
        Savings savings = savings();
        for (int i = 0; i < 3 * Savings.MOST_TABLES; i++) {
            savings.of(table("t" + i)).add(WorkKind.BYTES, 1, 0);
            savings.of(table("t" + i)).add(WorkKind.BYTES, 1, 0);
        }
        assertThat(rows(savings)).hasSize(Savings.MOST_TABLES + 1);
        assertThat(requireNonNull(rows(savings).get(new DayTable(DAY, "", Savings.OTHER_TABLES))).requested(WorkKind.BYTES)).isEqualTo(4L
                * Savings.MOST_TABLES);
        millis.addAndGet(Duration.ofDays(Savings.MOST_DAYS - 1).toMillis());
        savings.of(table("t0")).add(WorkKind.BYTES, 1, 0);
        assertThat(rows(savings)).hasSize(Savings.MOST_TABLES + 2);
        millis.addAndGet(Duration.ofDays(1).toMillis());
        savings.of(table("t0")).add(WorkKind.BYTES, 1, 0);
        assertThat(rows(savings)).hasSize(2);
    }

    @Test
    void restartLosesNothing(@TempDir Path directory)
    {
        restart(PageCacheConfig.builder().baseDirectories(List.of(directory)).capacityBytes(64 << 20).minFreeSpaceBytes(0).build());
    }

    @Test
    void restartLosesNothingIfOnlySomeTablesAreCachedOrTheDaysBudgetIsUsedUp(@TempDir Path directory)
    {
        restart(PageCacheConfig.builder().baseDirectories(List.of(directory)).capacityBytes(64 << 20).minFreeSpaceBytes(0)
                .admission(new AdmissionConfig(List.of(TablePattern.parse("hive.web.*")), List.of(), 0, OptionalLong.of(0), false))
                .build());
    }

    private void restart(PageCacheConfig config)
    {
        for (int restart = 1; restart < 4; restart++) {
            Savings savings = savings();
            try (PageCache cache = PageCaches.open(config)) {
                AtomicBoolean recovered = new AtomicBoolean();
                savings.storeIn(cache.blobs().orElseThrow(), "hive", recovered::get);
                savings.of(table("clicks")).add(WorkKind.BYTES, 100, 1);
                savings.maintain();
                assertThat(row(savings, DAY, "clicks").requested(WorkKind.BYTES)).as("before the store has recovered").isEqualTo(100);
                recovered.set(true);
                savings.maintain();
                assertThat(row(savings, DAY, "clicks").requested(WorkKind.BYTES)).isEqualTo(restart * 100L);
                assertThat(row(savings, DAY, "clicks").done(WorkKind.BYTES)).isEqualTo(restart);
                savings.save();
            }
        }
    }

    @Test
    void tablesOfAFullDayKeepTheirRows(@TempDir Path directory)
    {
        PageCacheConfig config = PageCacheConfig.builder().baseDirectories(List.of(directory)).capacityBytes(64 << 20).minFreeSpaceBytes(0).build();
        Map<DayTable, Long> before = new HashMap<>();
        for (int restart = 0; restart < 2; restart++) {
            Savings savings = savings();
            try (PageCache cache = PageCaches.open(config)) {
                savings.storeIn(cache.blobs().orElseThrow(), "hive", () -> true);
                savings.maintain();
                for (int i = 0; restart == 0 && i < 2 * Savings.MOST_TABLES; i++) {
                    savings.of(table("t" + i)).add(WorkKind.BYTES, 1 + i, 0);
                }
                Map<DayTable, Long> now = new HashMap<>();
                savings.forEach((key, row) -> now.put(key, row.requested(WorkKind.BYTES)));
                assertThat(now).hasSize(Savings.MOST_TABLES + 1);
                assertThat(restart == 0 ? now : before).isEqualTo(now);
                before.putAll(now);
                savings.save();
            }
        }
    }

    @Test
    void runningProcessStoresThemNowAndThen(@TempDir Path directory)
    {
        PageCacheConfig config = PageCacheConfig.builder().baseDirectories(List.of(directory)).capacityBytes(64 << 20).minFreeSpaceBytes(0).build();
        try (PageCache cache = PageCaches.open(config)) {
            Savings killed = savings();
            killed.storeIn(cache.blobs().orElseThrow(), "hive", () -> true);
            killed.of(table("clicks")).add(WorkKind.BYTES, 100, 0);
            killed.maintain();
            nanos.addAndGet(Duration.ofMinutes(5).toNanos());
            killed.of(table("clicks")).add(WorkKind.BYTES, 100, 0);
            killed.maintain();
            killed.of(table("clicks")).add(WorkKind.BYTES, 100, 0);
            killed.maintain();
        }
        try (PageCache cache = PageCaches.open(config)) {
            Savings restarted = savings();
            restarted.storeIn(cache.blobs().orElseThrow(), "hive", () -> true);
            restarted.maintain();
            assertThat(row(restarted, DAY, "clicks").requested(WorkKind.BYTES)).isEqualTo(200);
            Savings ofAnotherCatalog = savings();
            ofAnotherCatalog.storeIn(cache.blobs().orElseThrow(), "lake", () -> true);
            ofAnotherCatalog.maintain();
            assertThat(rows(ofAnotherCatalog)).isEmpty();
        }
    }
}
