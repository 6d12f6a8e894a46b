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
 * The engine's JVM and memory, as far as its files show them.
 *
 * @param heapBytes the heap; empty if it is unknown
 * @param headroomBytes the part of the heap that queries do not account for; empty if there is no {@code config.properties}, or if it depends on an unknown
 *         heap
 * @param opensJavaNet whether the JVM lets all code use {@code java.net} by reflection; empty if that is unknown
 */
public record Engine(OptionalLong heapBytes, OptionalLong headroomBytes, Optional<Boolean> opensJavaNet)
{
    /** An engine about which nothing is known. */
    public static final Engine UNKNOWN = new Engine(OptionalLong.empty(), OptionalLong.empty(), Optional.empty());

    static final String HEADROOM = "memory.heap-headroom-per-node";

    private static final String OPENS_JAVA_NET = "--add-opens=java.base/java.net=ALL-UNNAMED";
    private static final Pattern HEAP = Pattern.compile("(?:-Xmx|-XX:MaxHeapSize=)([0-9]+)([kKmMgGtT]?)");
    private static final Pattern PERCENT_OF_MACHINE = Pattern.compile("-XX:MaxRAMPercentage=([0-9]+(?:\\.[0-9]+)?)");
    private static final double PRESET_PERCENT_OF_MACHINE = 25;
    private static final int PERCENT = 100;
    private static final String UNITS = "kmgt";
    private static final int UNIT_BITS = 10;
    private static final double PRESET_HEADROOM = 0.3;

    /** Returns the engine's settings as the JVM of this process has them. */
    public static Engine running()
    {
        boolean opens = Object.class.getModule().isOpen("java.net", Engine.class.getModule());
        return new Engine(OptionalLong.of(Runtime.getRuntime().maxMemory()), OptionalLong.empty(), Optional.of(opens));
    }

    /**
     * Reads the engine's {@code config.properties}, if it is given, and a {@code jvm.config} with one option a line, if it exists.
     *
     * @param machineBytes the memory of the machine, of which the heap is a part if no option sets its size
     * @throws ConfigException about an invalid value
     */
    public static Engine read(Optional<Path> config, Path jvm, long machineBytes)
            throws IOException
    {
        List<String> options = Files.exists(jvm) ? Files.readAllLines(jvm).stream().map(String::trim).toList() : List.of();
        OptionalLong heap = Files.exists(jvm) ? OptionalLong.of(heap(options, machineBytes)) : OptionalLong.empty();
        Optional<Boolean> opens = Files.exists(jvm) ? Optional.of(options.contains(OPENS_JAVA_NET)) : Optional.empty();
        if (config.isEmpty()) {
            return new Engine(heap, OptionalLong.empty(), opens);
        }
        String headroom = CatalogFile.lines(config.get()).get(HEADROOM);
        if (headroom == null) {
            return new Engine(heap, heap.isEmpty() ? heap : OptionalLong.of((long) (heap.getAsLong() * PRESET_HEADROOM)), opens);
        }
        try {
            return new Engine(heap, OptionalLong.of(DataSize.valueOf(headroom.trim()).toBytes()), opens);
        }
        catch (IllegalArgumentException | IllegalStateException e) {
            throw new ConfigException(HEADROOM, "'" + headroom + "'", "it must be a size with its unit, such as 2GB", "correct it in " + config
                    .get());
        }
    }

    /* The last option counts, as for the JVM. A size takes precedence over a percentage. */
    private static long heap(List<String> options, long machineBytes)
    {
        OptionalLong heap = OptionalLong.empty();
        double percent = PRESET_PERCENT_OF_MACHINE;
        for (String option : options) {
            Matcher size = HEAP.matcher(option);
            if (size.matches()) {
                int power = size.group(2).isEmpty() ? 0 : UNITS.indexOf(size.group(2).toLowerCase(Locale.ROOT)) + 1;
                heap = OptionalLong.of(Long.parseLong(size.group(1)) << (power * UNIT_BITS));
            }
            Matcher part = PERCENT_OF_MACHINE.matcher(option);
            if (part.matches()) {
                percent = Double.parseDouble(part.group(1));
            }
        }
        return heap.orElse((long) (machineBytes * percent / PERCENT));
    }

    /** Returns a finding if the JVM lacks an option that Presto's Hive connector needs. */
    List<Finding> optionFindings()
    {
        return opensJavaNet.orElse(true)
                ? List.of()
                : List.of(Finding.warning("jvm.config", "", "the option " + OPENS_JAVA_NET
                        + " is missing: statements that write Parquet files, such as "
                        + "CREATE TABLE AS, fail with an internal error", "add the option to jvm.config on every node"));
    }
}
