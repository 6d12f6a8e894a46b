// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.console;

import com.google.inject.Inject;
import io.airlift.units.DataSize;
import io.eyrie.presto.ledger.CacheLayer;
import io.eyrie.presto.ledger.Ledger;
import io.eyrie.presto.ledger.MissReason;
import io.eyrie.presto.ledger.Tally;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import static java.util.Objects.requireNonNull;

/** Derives advice from the counters of this node's tables. Each sentence states the numbers that it follows from. Thread-safe. */
final class Advisor
{
    /*
     * Gain      how long this node's readers waited for the loads that the advice would have avoided: the load time of the table's layer, in proportion to
     *           the bytes of those misses, or to their number where the layer does not count bytes
     * Space     a page missed after it was evicted, with fewer evictions since than the directory has pages, would be there in an LRU store of
     *           twice the capacity. For S3_FIFO, that is an estimate
     * Scan      a table that loads much and serves little occupies space only to be evicted
     */
    private static final int MOST_ADVICE = 20;
    private static final int LEAST_LOOKUPS = 20;
    private static final double LEAST_SHARE = 0.05;
    private static final double LARGE_SHARE_OF_LOADS = 0.2;
    private static final double SMALL_SHARE_OF_HITS = 0.1;
    private static final double NANOS_PER_SECOND = 1e9;
    // these have their own sentences, or none
    private static final Set<MissReason> OTHERWISE = EnumSet.of(MissReason.EVICTED, MissReason.READ_ONLY, MissReason.DRY_RUN);

    private final Ledger ledger;

    /** A sentence about a layer of a table. */
    record Advice(TableName table, CacheLayer layer, double gainSeconds, String text)
    {}

    /** A table of the catalog. */
    record TableName(String schema, String table)
    {
        private String dotted()
        {
            return schema + "." + table;
        }
    }

    /** The counters of a layer of a table, over all its partitions. */
    private static final class Sum
    {
        private long hits;
        private long hitBytes;
        private long misses;
        private long missBytes;
        private long evictedBytes;
        private long doubleBytes;
        private long loadBytes;
        private long loadNanos;
        private final Map<MissReason, Long> reasons = new HashMap<>();

        private void add(Tally tally)
        {
            hits += tally.hits();
            hitBytes += tally.hitBytes();
            misses += tally.misses();
            missBytes += tally.missBytes();
            evictedBytes += tally.evictedBytes();
            doubleBytes += tally.missBytesWithinDoubleSpace();
            loadBytes += tally.loadBytes();
            loadNanos += tally.loadNanos();
            for (MissReason reason : MissReason.values()) {
                if (tally.misses(reason) > 0) {
                    reasons.merge(reason, tally.misses(reason), Long::sum);
                }
            }
        }

        private double seconds(double share)
        {
            return Math.min(1, share) * loadNanos / NANOS_PER_SECOND;
        }
    }

    @Inject
    Advisor(Ledger ledger)
    {
        this.ledger = requireNonNull(ledger, "ledger is null");
    }

    /** Returns the advice with the greatest gain first. */
    List<Advice> advice()
    {
        Map<TableName, Map<CacheLayer, Sum>> tables = new HashMap<>();
        ledger.scopes().forEach((scope, layers) -> layers.forEach((layer, tally) -> tables.computeIfAbsent(
                new TableName(scope.schema(), scope.table()), any -> new HashMap<>()).computeIfAbsent(layer, any -> new Sum()).add(tally)));
        List<Advice> advice = new ArrayList<>();
        tables.forEach((table, layers) -> layers.forEach((layer, sum) -> {
            if (layer == CacheLayer.DATA) {
                space(table, sum, advice);
            }
            reasons(table, layer, sum, advice);
        }));
        scans(tables, advice);
        return advice.stream().sorted(Comparator.comparingDouble(Advice::gainSeconds).reversed()).limit(MOST_ADVICE).toList();
    }

    private static void space(TableName table, Sum sum, List<Advice> advice)
    {
        long bytes = sum.hitBytes + sum.missBytes;
        if (bytes == 0 || sum.doubleBytes < LEAST_SHARE * bytes) {
            return;
        }
        advice.add(new Advice(table, CacheLayer.DATA, sum.seconds((double) sum.doubleBytes / sum.missBytes), String.format(
                Locale.ROOT,
                "Twice the disk space would have raised the hit ratio of %s from %s to at least %s: %s were read again after they had been evicted to make room",
                table.dotted(), percent(sum.hitBytes, bytes), percent(sum.hitBytes + sum.doubleBytes, bytes), size(sum.doubleBytes))));
    }

    private static void scans(Map<TableName, Map<CacheLayer, Sum>> tables, List<Advice> advice)
    {
        Map<TableName, Sum> data = new HashMap<>();
        tables.forEach((table, layers) -> {
            Sum sum = layers.get(CacheLayer.DATA);
            if (sum != null) {
                data.put(table, sum);
            }
        });
        long loadBytes = data.values().stream().mapToLong(sum -> sum.loadBytes).sum();
        data.forEach((table, sum) -> {
            long others = data.entrySet().stream().filter(other -> !other.getKey().equals(table)).mapToLong(other -> other.getValue().evictedBytes)
                    .sum();
            if (others > 0 && !isDenied(sum) && sum.loadBytes >= LARGE_SHARE_OF_LOADS * loadBytes && sum.hitBytes < SMALL_SHARE_OF_HITS
                    * sum.loadBytes) {
                double seconds = data.entrySet().stream().filter(other -> !other.getKey().equals(table)).mapToDouble(
                        other -> other.getValue().seconds((double) other.getValue().evictedBytes / Math.max(1, other.getValue().missBytes))).sum();
                advice.add(new Advice(table, CacheLayer.DATA, seconds * sum.loadBytes / loadBytes, String.format(
                        Locale.ROOT,
                        "%s caused %s of the bytes that were read from the store (%s) and was served %s from the cache, while %s of other tables were evicted and read again: "
                                + "CALL system.deny_in_cache('%s', '%s'), or set cache.admission.second-touch-pages",
                        table.dotted(), percent(sum.loadBytes, loadBytes), size(sum.loadBytes), size(sum.hitBytes), size(others), table.schema(),
                        table
                                .table())));
            }
        });
    }

    /* Whether most of its misses belong to a rule, so that it takes no room. */
    private static boolean isDenied(Sum sum)
    {
        return 2 * sum.reasons.getOrDefault(MissReason.DENIED_BY_RULE, 0L) > sum.misses;
    }

    private static void reasons(TableName table, CacheLayer layer, Sum sum, List<Advice> advice)
    {
        long lookups = sum.hits + sum.misses;
        sum.reasons.forEach((reason, count) -> {
            if (lookups >= LEAST_LOOKUPS && count >= LEAST_SHARE * lookups && !reason.remedy().isEmpty() && !OTHERWISE.contains(reason)) {
                advice.add(new Advice(table, layer, sum.seconds((double) count / sum.misses), String.format(
                        Locale.ROOT,
                        "%s of %,d lookups of %s for %s missed because the requested item %s (%s): %s",
                        percent(count, lookups), lookups, layer.label(), table.dotted(), reason.meaning(), reason.label(), reason.remedy())));
            }
        });
    }

    private static String percent(long part, long whole)
    {
        return String.format(Locale.ROOT, "%.0f %%", 100.0 * part / whole);
    }

    private static String size(long bytes)
    {
        return DataSize.succinctBytes(bytes).toString();
    }
}
