// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.server;

import com.fasterxml.jackson.databind.JsonNode;
import io.airlift.units.DataSize;
import io.eyrie.cli.console.TextTable;
import io.eyrie.cli.console.Words;

import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A page of {@code eyrie top}.
 *
 * @param before the counters of the page before; empty for totals
 * @param seconds the time since the page before; 0 for totals
 */
record TopPage(String catalog, Map<TableLayer, LayerCounters> before, Map<TableLayer, LayerCounters> now, double seconds, int rows)
{
    private static final int CACHED_COLUMN = 9;

    /** A layer of a table. */
    record TableLayer(String schema, String table, String layer)
    {
        static TableLayer of(JsonNode row)
        {
            return new TableLayer(row.path(0).asText(), row.path(1).asText(), row.path(2).asText());
        }
    }

    /** The counters of a layer of a table, over all nodes. */
    record LayerCounters(long hits, long hitBytes, long misses, long loads, long loadBytes, double loadMillis, long cachedBytes)
    {
        static final LayerCounters NONE = new LayerCounters(0, 0, 0, 0, 0, 0, 0);

        static LayerCounters of(JsonNode row)
        {
            return new LayerCounters(row.path(3).asLong(), row.path(4).asLong(), row.path(5).asLong(), row.path(6).asLong(), row.path(7).asLong(), row
                    .path(8).asDouble(), row.path(CACHED_COLUMN).asLong());
        }

        /* The counters restart with their node, so a difference is at least 0. */
        LayerCounters since(LayerCounters earlier)
        {
            return new LayerCounters(
                    Math.max(0, hits - earlier.hits),
                    Math.max(0, hitBytes - earlier.hitBytes),
                    Math.max(0, misses - earlier.misses),
                    Math.max(0, loads - earlier.loads),
                    Math.max(0, loadBytes - earlier.loadBytes),
                    Math.max(0, loadMillis - earlier.loadMillis),
                    cachedBytes);
        }

        LayerCounters plus(LayerCounters other)
        {
            return new LayerCounters(hits + other.hits, hitBytes + other.hitBytes, misses + other.misses, loads + other.loads, loadBytes
                    + other.loadBytes, loadMillis + other.loadMillis, cachedBytes + other.cachedBytes);
        }

        boolean isIdle()
        {
            return hits + misses + loads == 0;
        }
    }

    String text()
    {
        boolean totals = seconds == 0;
        Map<TableLayer, LayerCounters> work = now.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue().since(
                before
                        .getOrDefault(entry.getKey(), LayerCounters.NONE))));
        String per = totals ? "" : "/s";
        TextTable table = new TextTable(2, "table", "layer", "lookups" + per, "hit", "served" + per, "loads" + per, "loaded" + per, "ms a load",
                "cached");
        work.entrySet().stream().filter(entry -> !entry.getValue().isIdle())
                .sorted(Map.Entry.<TableLayer, LayerCounters>comparingByValue(Comparator.comparingDouble(LayerCounters::loadMillis).thenComparing(
                        LayerCounters::hitBytes)
                        .thenComparing(LayerCounters::hits)).reversed())
                .limit(rows)
                .forEach(entry -> row(table, Words.plain(entry.getKey().schema() + "." + entry.getKey().table()), entry.getKey().layer(), entry
                        .getValue()));
        table.rule();
        LayerWork.LAYERS.forEach(layer -> row(table, "all tables", layer, work.entrySet().stream()
                .filter(
                        entry -> entry.getKey().layer().equals(layer)).map(Map.Entry::getValue).reduce(LayerCounters.NONE, LayerCounters::plus)));
        String head = "Catalog " + catalog + (totals ? ", since its nodes started" : String.format(Locale.ROOT, ", the last %.0f seconds", seconds));
        return head + System.lineSeparator() + table.render();
    }

    private void row(TextTable table, String name, String layer, LayerCounters work)
    {
        double divisor = seconds == 0 ? 1 : seconds;
        table.row(
                name,
                layer,
                number((work.hits() + work.misses()) / divisor),
                Words.percent(work.hits(), work.hits() + work.misses()),
                size(work.hitBytes() / divisor),
                number(work.loads() / divisor),
                size(work.loadBytes() / divisor),
                work.loads() == 0 ? "-" : String.format(Locale.ROOT, "%.1f", work.loadMillis() / work.loads()),
                size((double) work.cachedBytes()));
    }

    private String number(double value)
    {
        return seconds == 0 ? Words.number((long) value) : String.format(Locale.ROOT, "%,.1f", value);
    }

    private static String size(double bytes)
    {
        return bytes < 1 ? "-" : DataSize.succinctBytes((long) bytes).toString();
    }
}
