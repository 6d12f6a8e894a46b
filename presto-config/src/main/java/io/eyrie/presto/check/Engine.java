// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.check;

import io.airlift.units.DataSize;
import io.eyrie.cache.config.ConfigException;
import io.eyrie.presto.config.CatalogFile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The engine's memory, as far as its files show it.
 *
 * @param heapBytes the heap; empty if no {@code -Xmx} sets it
 * @param headroomBytes the part of the heap that queries do not account for; empty if there is no {@code config.properties}, or if it depends on an unknown
 *         heap
 */
public record Engine(OptionalLong heapBytes, OptionalLong headroomBytes)
{
    /** An engine about which nothing is known. */
    public static final Engine UNKNOWN = new Engine(OptionalLong.empty(), OptionalLong.empty());

    static final String HEADROOM = "memory.heap-headroom-per-node";

    private static final Pattern HEAP = Pattern.compile("(?:-Xmx|-XX:MaxHeapSize=)([0-9]+)([kKmMgGtT]?)");
    private static final String UNITS = "kmgt";
    private static final int UNIT_BITS = 10;
    private static final double PRESET_HEADROOM = 0.3;

    /**
     * Reads the engine's {@code config.properties}, if it is given, and a {@code jvm.config} with one option a line, if it exists.
     *
     * @throws ConfigException about an invalid value
     */
    public static Engine read(Optional<Path> config, Path jvm)
            throws IOException
    {
        OptionalLong heap = Files.exists(jvm) ? heap(Files.readAllLines(jvm)) : OptionalLong.empty();
        if (config.isEmpty()) {
            return new Engine(heap, OptionalLong.empty());
        }
        String headroom = CatalogFile.lines(config.get()).get(HEADROOM);
        if (headroom == null) {
            return new Engine(heap, heap.isEmpty() ? heap : OptionalLong.of((long) (heap.getAsLong() * PRESET_HEADROOM)));
        }
        try {
            return new Engine(heap, OptionalLong.of(DataSize.valueOf(headroom.trim()).toBytes()));
        }
        catch (IllegalArgumentException e) {
            throw new ConfigException(HEADROOM, "'" + headroom + "'", "it must be a size with its unit, such as 2GB", "correct it in " + config
                    .get());
        }
    }

    /* The last option counts, as for the JVM. */
    private static OptionalLong heap(List<String> lines)
    {
        OptionalLong heap = OptionalLong.empty();
        for (String line : lines) {
            Matcher option = HEAP.matcher(line.trim());
            if (option.matches()) {
                int power = option.group(2).isEmpty() ? 0 : UNITS.indexOf(option.group(2).toLowerCase(Locale.ROOT)) + 1;
                heap = OptionalLong.of(Long.parseLong(option.group(1)) << (power * UNIT_BITS));
            }
        }
        return heap;
    }
}
