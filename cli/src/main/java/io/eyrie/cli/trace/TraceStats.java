// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.trace;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.store.PageKey;
import io.eyrie.cache.store.ReadOutcome;
import io.eyrie.cache.store.StorageClass;
import io.eyrie.cache.trace.TraceRecord;
import io.eyrie.cli.console.TextTable;
import io.eyrie.cli.console.Words;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Counts the lookups of traces. Its memory grows with the number of distinct pages. Not thread-safe. */
final class TraceStats
{
    private static final int TABLES_SHOWN = 40;

    private final Map<Scope, Group> tables = new HashMap<>();
    private final Map<StorageClass, Group> classes = new EnumMap<>(StorageClass.class);
    private final Map<ReadOutcome, long[]> outcomes = new EnumMap<>(ReadOutcome.class);
    private final Group all = new Group();
    private final Set<PageKey> pages = new HashSet<>();
    private long firstMillis = Long.MAX_VALUE;
    private long lastMillis = Long.MIN_VALUE;

    private static final class Group
    {
        private long lookups;
        private long hits;
        private long readBytes;
        private long pages;
        private long bytes;

        void add(TraceRecord lookup, boolean seenFirst)
        {
            lookups++;
            hits += lookup.outcome() == ReadOutcome.HIT ? 1 : 0;
            readBytes += lookup.lengthBytes();
            pages += seenFirst ? 1 : 0;
            bytes += seenFirst ? lookup.pageLengthBytes() : 0;
        }

        GroupStats stats(String name)
        {
            return new GroupStats(name, lookups, hits, lookups == 0 ? 0 : (double) hits / lookups, pages, bytes, readBytes);
        }
    }

    /**
     * A group of lookups.
     *
     * @param pages number of distinct pages in them, {@code bytes} the sum of their lengths
     * @param readBytes bytes that readers requested from them
     */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    record GroupStats(String name, long lookups, long hits, double hitRatio, long pages, long bytes, long readBytes)
    {}

    /** The number of lookups with an outcome. */
    record Outcome(String outcome, long lookups)
    {}

    /** The whole result; the JSON output is this record. The times are in ISO 8601, null if there are no lookups. */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    record Report(
            List<TraceFiles.Summary> traces,
            @Nullable String begin,
            @Nullable String end,
            long lost,
            GroupStats all,
            List<Outcome> outcomes,
            List<GroupStats> tables,
            List<GroupStats> storageClasses)
    {
        String text()
        {
            if (begin == null || end == null) {
                return "There are no lookups.";
            }
            TextTable outcomeTable = new TextTable(1, "outcome", "lookups", "share");
            outcomes.forEach(outcome -> outcomeTable.row(
                    outcome.outcome(),
                    Words.number(outcome.lookups()),
                    Words.percent(outcome.lookups(), all.lookups)));
            return Words.lines(
                    Stream.of(
                            Words.count(all.lookups, "lookup") + " of " + Words.count(all.pages, "page") + ", " + Words.size(all.bytes)
                                    + "; readers requested " + Words.size(all.readBytes),
                            "hit ratio as recorded: " + Words.percent(all.hits, all.lookups),
                            "from " + begin + " to " + end + ", " + span(Duration.between(Instant.parse(begin), Instant.parse(end))),
                            "lost while recording: " + Words.number(lost),
                            "",
                            outcomeTable.render(),
                            "",
                            table("table", tables),
                            "",
                            table("storage class", storageClasses)));
        }

        private static String span(Duration span)
        {
            return span.toHours() + " h " + span.toMinutesPart() + " min " + span.toSecondsPart() + " s";
        }

        private static String table(String title, List<GroupStats> groups)
        {
            TextTable table = new TextTable(1, title, "lookups", "hit ratio", "pages", "bytes", "requested");
            groups.stream().limit(TABLES_SHOWN).forEach(stats -> table.row(
                    stats.name,
                    Words.number(stats.lookups),
                    Words.percent(stats.hits, stats.lookups),
                    Words.number(stats.pages),
                    Words.size(stats.bytes),
                    Words.size(stats.readBytes)));
            int hidden = groups.size() - TABLES_SHOWN;
            return table.render() + (hidden > 0 ? System.lineSeparator() + "and " + Words.number(hidden) + " more: --json writes all" : "");
        }
    }

    void add(TraceRecord lookup)
    {
        boolean seenFirst = pages.add(lookup.page());
        Scope scope = lookup.tags().scope();
        Scope table = new Scope(scope.catalog(), scope.schema(), scope.table(), "");
        all.add(lookup, seenFirst);
        tables.computeIfAbsent(table, unused -> new Group()).add(lookup, seenFirst);
        classes.computeIfAbsent(lookup.tags().storageClass(), unused -> new Group()).add(lookup, seenFirst);
        outcomes.computeIfAbsent(lookup.outcome(), unused -> new long[1])[0]++;
        firstMillis = Math.min(firstMillis, lookup.epochMillis());
        lastMillis = Math.max(lastMillis, lookup.epochMillis());
    }

    Report report(List<TraceFiles.Summary> traces)
    {
        Comparator<GroupStats> largestFirst = Comparator.comparingLong(GroupStats::bytes).reversed().thenComparing(GroupStats::name);
        return new Report(
                traces,
                all.lookups == 0 ? null : Instant.ofEpochMilli(firstMillis).toString(),
                all.lookups == 0 ? null : Instant.ofEpochMilli(lastMillis).toString(),
                traces.stream().mapToLong(TraceFiles.Summary::lost).sum(),
                all.stats("all"),
                outcomes.entrySet().stream().map(entry -> new Outcome(entry.getKey().name(), entry.getValue()[0])).toList(),
                tables.entrySet().stream().map(entry -> entry.getValue().stats(Words.table(entry.getKey()))).sorted(largestFirst).toList(),
                classes.entrySet().stream().map(entry -> entry.getValue().stats(entry.getKey().name())).sorted(largestFirst).toList());
    }
}
