// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.console;

import io.airlift.units.DataSize;
import io.eyrie.cache.file.Scope;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Formats numbers and names for tables and sentences. */
public final class Words
{
    private Words()
    {}

    public static String number(long value)
    {
        return String.format(Locale.ROOT, "%,d", value);
    }

    /** Formats a number of things, such as {@code 1 page} or {@code 2 pages}. */
    public static String count(long value, String thing)
    {
        return number(value) + " " + thing + (value == 1 ? "" : "s");
    }

    /** Formats a number of bytes in the largest unit that leaves a number of 1 or more. */
    public static String size(long bytes)
    {
        return DataSize.succinctBytes(bytes).toString();
    }

    /** Formats a share as a percentage; a dash if the whole is 0. */
    public static String percent(long part, long whole)
    {
        return whole == 0 ? "-" : percent((double) part / whole);
    }

    public static String percent(double ratio)
    {
        return String.format(Locale.ROOT, "%.1f %%", 100 * ratio);
    }

    /** Formats a table's name, separated by dots; omits parts that are not known. */
    public static String table(Scope scope)
    {
        return joined(List.of(scope.catalog(), scope.schema(), scope.table()));
    }

    private static String joined(List<String> names)
    {
        String joined = names.stream().filter(name -> !name.isEmpty()).map(Words::plain).collect(Collectors.joining("."));
        return joined.isEmpty() ? "(not known)" : joined;
    }

    /** Replaces characters that could control a terminal: names come from files that others may have written. */
    public static String plain(String text)
    {
        return text.codePoints()
                .map(point -> Character.isISOControl(point) || Character.getType(point) == Character.FORMAT ? '?' : point)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    /** Joins lines with line separators. */
    public static String lines(Stream<String> lines)
    {
        return lines.collect(Collectors.joining(System.lineSeparator()));
    }
}
