// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.config;

import java.util.List;

/** Formats values of {@link PageCacheConfig#settings()} for messages, as operators write them. */
public final class SettingText
{
    private static final String BYTES = "Bytes";
    private static final String MILLIS = "Millis";
    private static final String EMPTY = "Optional.empty";
    private static final String PRESENT = "Optional[";

    private record NamedSize(String name, long size)
    {}

    private static final List<NamedSize> SIZES = List.of(
            new NamedSize("TB", 1L << 40),
            new NamedSize("GB", 1L << 30),
            new NamedSize("MB", 1L << 20),
            new NamedSize("kB", 1L << 10),
            new NamedSize("B", 1));
    private static final List<NamedSize> DURATIONS = List.of(
            new NamedSize("d", 86_400_000),
            new NamedSize("h", 3_600_000),
            new NamedSize("m", 60_000),
            new NamedSize("s", 1_000),
            new NamedSize("ms", 1));

    private SettingText()
    {}

    /** Returns a value with the largest unit that leaves a whole number, such as {@code 1600GB} or {@code 2d}. */
    public static String of(String key, String value)
    {
        if (value.equals(EMPTY)) {
            return "not set";
        }
        if (value.startsWith(PRESENT)) {
            return value.substring(PRESENT.length(), value.length() - 1);
        }
        if (!value.matches("[0-9]{1,18}")) {
            return value;
        }
        if (key.endsWith(BYTES)) {
            return text(Long.parseLong(value), SIZES);
        }
        return key.endsWith(MILLIS) ? text(Long.parseLong(value), DURATIONS) : value;
    }

    private static String text(long value, List<NamedSize> units)
    {
        NamedSize unit = units.stream().filter(each -> value != 0 && value % each.size() == 0).findFirst().orElse(units.get(units.size() - 1));
        return value / unit.size() + unit.name();
    }
}
