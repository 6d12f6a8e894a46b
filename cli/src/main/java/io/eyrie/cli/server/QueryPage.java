// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.server;

import com.fasterxml.jackson.databind.JsonNode;
import io.airlift.units.DataSize;
import io.airlift.units.Duration;
import io.eyrie.cli.console.TextTable;
import io.eyrie.cli.console.Words;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

import static java.util.concurrent.TimeUnit.SECONDS;

/**
 * The page of {@code eyrie query}.
 *
 * @param info the coordinator's information about the query; empty if it no longer has any
 */
record QueryPage(String queryId, String catalog, Optional<JsonNode> info, List<LayerWork> layers, List<LayerMisses> misses)
{
    private static final int MOST_TEXT = 300;
    private static final double MILLIS_PER_SECOND = 1000;

    String text()
    {
        List<String> lines = new ArrayList<>();
        info.ifPresentOrElse(known -> {
            lines.addAll(head(known));
            lines.add("");
            lines.addAll(phases(known.path("queryStats")));
            known.path("warnings").forEach(warning -> lines.add("Warning: " + Words.plain(warning.path("message").asText())));
        }, () -> lines.add("Query " + queryId
                + ": the coordinator no longer has it (query.max-history). This page shows only the work of the caches."));
        lines.add("");
        lines.addAll(work());
        return String.join(System.lineSeparator(), lines);
    }

    private List<String> head(JsonNode known)
    {
        String sql = Words.plain(known.path("query").asText().strip().replaceAll("\\s+", " "));
        return List.of(
                "Query " + queryId + " of " + Words.plain(known.path("session").path("user").asText("an unknown user")) + ": " + known.path("state")
                        .asText() + " after " + seconds(known.path("queryStats"), "elapsedTime"),
                "  " + (sql.length() <= MOST_TEXT ? sql : sql.substring(0, MOST_TEXT) + "…"));
    }

    private static List<String> phases(JsonNode stats)
    {
        TextTable table = new TextTable(1, "phase", "time", "");
        table.row("queued", seconds(stats, "queuedTime"), "");
        table.row("analysis", seconds(stats, "analysisTime"), "");
        table.row("planning", seconds(stats, "totalPlanningTime"), "includes calls of the metastore and listings, and so does running");
        table.row("running", seconds(stats, "executionTime"), "CPU " + seconds(stats, "totalCpuTime") + ", scheduled " + seconds(stats,
                "totalScheduledTime") + ", blocked " + seconds(stats, "totalBlockedTime") + ", over all threads");
        return List.of("Where the time went", table.render(), String.format(Locale.ROOT, "Input: %s rows, %s", Words.number(stats.path(
                "rawInputPositions").asLong()), stats.path("rawInputDataSize").asText("unknown size")));
    }

    private static String seconds(JsonNode stats, String name)
    {
        String value = stats.path(name).asText("");
        return value.isEmpty() ? "-" : String.format(Locale.ROOT, "%.2f s", Duration.valueOf(value).getValue(SECONDS));
    }

    private List<String> work()
    {
        if (layers.isEmpty()) {
            return List.of("The caches of catalog " + catalog
                    + " have no record of this query: it read no table of the catalog, its session bypassed the caches, or each node has run a thousand queries since.");
        }
        List<String> lines = new ArrayList<>();
        TextTable table = new TextTable(1, "layer", "lookups", "hit", "served", "loads", "loaded", "load time", "nodes");
        layers.stream().sorted(Comparator.comparingInt(work -> LayerWork.LAYERS.indexOf(work.layer()))).forEach(work -> table.row(
                work.layer(),
                Words.number(work.hits() + work.misses()),
                Words.percent(work.hits(), work.hits() + work.misses()),
                size(work.hitBytes()),
                Words.number(work.loads()),
                size(work.loadBytes()),
                work.loads() == 0 ? "-" : String.format(Locale.ROOT, "%.2f s", work.loadMillis() / MILLIS_PER_SECOND),
                Words.number(work.nodes())));
        lines.add("What the caches did");
        lines.add(table.render());
        lines.add("The load time is the sum over readers that ran in parallel. For the layer fragment, it is processor time.");
        lines.add("");
        if (misses.isEmpty()) {
            lines.add("All lookups hit.");
            return lines;
        }
        lines.add("What missed, and why");
        misses.stream().sorted(Comparator.comparingDouble(this::loadMillis).reversed()).forEach(miss -> lines.add(String.format(
                Locale.ROOT, "  %-9s  %,10d  %s: it %s", miss.layer(), miss.count(), miss.reason(), Words.plain(miss.meaning()))));
        lines.add("");
        lines.add("What to do");
        lines.addAll(remedies());
        return lines;
    }

    private Set<String> remedies()
    {
        Set<String> remedies = new LinkedHashSet<>();
        misses.stream().filter(miss -> !miss.remedy().isEmpty()).sorted(Comparator.comparingDouble(this::loadMillis).reversed()).forEach(
                miss -> remedies.add("  " + miss.reason() + ": " + Words.plain(miss.remedy())));
        if (remedies.isEmpty()) {
            remedies.add(
                    "  Nothing, unless it misses again: the cache now has what this query loaded. To load a table before its first query, use warm_cache.");
        }
        return remedies;
    }

    /* Returns the load time of the layer, in proportion to the number of these misses. */
    private double loadMillis(LayerMisses miss)
    {
        return layers.stream().filter(work -> work.layer().equals(miss.layer()) && work.misses() > 0).mapToDouble(work -> work.loadMillis() * miss
                .count() / work.misses()).sum();
    }

    private static String size(long bytes)
    {
        return bytes == 0 ? "-" : DataSize.succinctBytes(bytes).toString();
    }
}
