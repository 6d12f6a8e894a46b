// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.trace;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.eyrie.cache.policy.EvictionKind;
import io.eyrie.cache.simulation.PageAccesses;
import io.eyrie.cache.simulation.Simulation;
import io.eyrie.cli.console.Console;
import io.eyrie.cli.console.TextTable;
import io.eyrie.cli.console.Words;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/**
 * The results of simulated caches with several capacities and policies; the JSON output is this record.
 *
 * @param pages number of distinct pages that were requested, {@code footprintBytes} the sum of their lengths
 * @param recordedHits lookups that were hits in the cache that recorded the traces
 * @param cachedPages pages that were cached before the first lookup, because their first lookup was a hit
 * @param bytes bytes that would be read from the remote store without a cache
 * @param points by capacity, then by policy
 * @param twice a sentence about the effect of twice the present capacity; null if the present capacity is not known
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
record SimulationReport(
        List<TraceFiles.Summary> traces,
        long lookups,
        long recordedHits,
        long cachedPages,
        long pages,
        long footprintBytes,
        long bytes,
        List<Point> points,
        @Nullable String twice)
{
    private static final String OPTIMUM = "BELADY";

    /** A simulated cache. */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    record Point(String policy, long capacityBytes, long hits, double hitRatio, long remoteBytes)
    {
        static Point of(String policy, long capacityBytes, Simulation simulation)
        {
            return new Point(policy, capacityBytes, simulation.hits(), simulation.hitRatio(), simulation.bytes() - simulation.hitBytes());
        }
    }

    /** @param nowBytes the present capacity; the others include it and {@link #twice(long)} of it; 0 if it is not known */
    static SimulationReport of(
            List<TraceFiles.Summary> traces,
            PageAccesses accesses,
            long recordedHits,
            Collection<Long> capacities,
            long nowBytes,
            Console progress)
    {
        List<Point> points = new ArrayList<>();
        for (long capacityBytes : capacities) {
            for (EvictionKind kind : kinds()) {
                points.add(Point.of(kind.name(), capacityBytes, Simulation.of(kind, accesses, capacityBytes)));
            }
            points.add(Point.of(OPTIMUM, capacityBytes, Simulation.optimum(accesses, capacityBytes)));
            progress.progress("simulated " + Words.size(capacityBytes));
        }
        String twice = nowBytes == 0 || accesses.lookups() == 0 ? null : twice(points, nowBytes);
        long pages = Arrays.stream(accesses.pages()).distinct().count();
        return new SimulationReport(traces, accesses.lookups(), recordedHits, accesses.warmUp(), pages, accesses.footprintBytes(), accesses
                .lookupBytes(), points,
                twice);
    }

    /** Returns the policies, the default first. */
    private static List<EvictionKind> kinds()
    {
        return Stream.concat(Stream.of(EvictionKind.DEFAULT), Arrays.stream(EvictionKind.values()).filter(kind -> kind != EvictionKind.DEFAULT))
                .toList();
    }

    /** Returns the names of all policies, in the order of the points. */
    private static List<String> policies()
    {
        return Stream.concat(kinds().stream().map(Enum::name), Stream.of(OPTIMUM)).toList();
    }

    static long twice(long bytes)
    {
        return bytes > Long.MAX_VALUE / 2 ? Long.MAX_VALUE : 2 * bytes;
    }

    private static String twice(List<Point> points, long nowBytes)
    {
        Point now = point(points, EvictionKind.DEFAULT.name(), nowBytes);
        Point then = point(points, EvictionKind.DEFAULT.name(), twice(nowBytes));
        String begin = "Twice the capacity, " + Words.size(then.capacityBytes) + " instead of " + Words.size(now.capacityBytes) + ", would ";
        if (now.hits == then.hits) {
            return begin + "not help: " + Words.percent(now.hitRatio) + " of the lookups would be hits with either.";
        }
        return begin + "raise the hit ratio from " + Words.percent(now.hitRatio) + " to " + Words.percent(then.hitRatio)
                + " and lower the remote bytes from "
                + Words.size(now.remoteBytes) + " to " + Words.size(then.remoteBytes) + ", by "
                + Words.percent(now.remoteBytes - then.remoteBytes, now.remoteBytes) + ".";
    }

    private static Point point(List<Point> points, String policy, long capacityBytes)
    {
        return points.stream()
                .filter(point -> point.policy.equals(policy) && point.capacityBytes == capacityBytes)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no simulation of " + policy + " with " + capacityBytes + " bytes"));
    }

    /** Returns the capacities in ascending order. */
    List<Long> capacities()
    {
        return points.stream().map(Point::capacityBytes).distinct().toList();
    }

    String text()
    {
        if (lookups == 0) {
            return "There are no lookups to simulate.";
        }
        TextTable table = new TextTable(0, heads().toArray(String[]::new));
        capacities().forEach(capacityBytes -> table.row(cells(capacityBytes).toArray(String[]::new)));
        return Words.lines(
                Stream.concat(
                        Stream.of(summary(), "", table.render(), "", notes()),
                        twice == null ? Stream.of() : Stream.of("", twice)));
    }

    String summary()
    {
        return Words.count(lookups, "lookup") + " of " + Words.count(pages, "page") + ", " + Words.size(footprintBytes) + "; without a cache, "
                + Words.size(bytes) + " would be read from the remote store. The trace recorded " + Words.percent(recordedHits, lookups)
                + " hits; each simulated cache begins with the " + Words.count(cachedPages, "page")
                + " that were cached before the trace, as far as they fit.";
    }

    static String notes()
    {
        return "Each lookup counts as a read of the whole page, and each missed page is cached. BELADY knows the future: no policy does better on pages "
                + "of equal length.";
    }

    /** Returns the heads of the columns of {@link #cells}. */
    static List<String> heads()
    {
        List<String> heads = new ArrayList<>(List.of("capacity", "of all pages"));
        policies().forEach(policy -> heads.add(policy + " hits"));
        policies().forEach(policy -> heads.add(policy + " remote"));
        return heads;
    }

    List<String> cells(long capacityBytes)
    {
        List<String> cells = new ArrayList<>(List.of(
                Words.size(capacityBytes), capacityBytes >= footprintBytes ? "all" : Words.percent(capacityBytes, footprintBytes)));
        policies().forEach(policy -> cells.add(Words.percent(point(points, policy, capacityBytes).hitRatio)));
        policies().forEach(policy -> cells.add(Words.size(point(points, policy, capacityBytes).remoteBytes)));
        return cells;
    }
}
