// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration.foreign;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A column, or a field of a row.
 *
 * @param name as SQL writes it
 * @param type as CREATE TABLE writes it
 */
record CorpusColumn(String name, String type)
{
    private static final int PROJECTED_DEPTH = 3;

    /** The columns of a list such as {@code a bigint, b row(c array(bigint), d varchar)}. */
    static List<CorpusColumn> parse(String columns)
    {
        return split(columns).stream().map(column -> {
            int end = column.startsWith("\"") ? column.indexOf('"', 1) + 1 : column.indexOf(' ');
            return new CorpusColumn(column.substring(0, end), column.substring(end).trim());
        }).toList();
    }

    boolean isScalar()
    {
        return !type.startsWith("array(") && !type.startsWith("map(") && !type.startsWith("row(");
    }

    /** Expressions that read less than all of the column, each of a part. */
    List<String> parts()
    {
        List<String> parts = new ArrayList<>();
        addParts(name, type, PROJECTED_DEPTH, parts);
        return parts;
    }

    /** A constant of the column's type. */
    String literal(String text)
    {
        return type.equals("varbinary") ? "from_hex('" + text + "')" : "CAST('" + text.replace("'", "''") + "' AS " + type + ")";
    }

    /** What {@link #literal} takes. */
    String text()
    {
        return type.equals("varbinary") ? "to_hex(" + name + ")" : "CAST(" + name + " AS varchar)";
    }

    /** What few values exceed. */
    String beyond()
    {
        return switch (type.replaceFirst("\\(.*", "")) {
            case "tinyint" -> "126";
            case "smallint" -> "32766";
            case "integer" -> "2147483646";
            case "bigint" -> "9223372036854775806";
            case "real", "double" -> "1E30";
            case "varbinary" -> "FFFF";
            case "date" -> "9999-12-30";
            case "timestamp" -> "9999-12-30 00:00:00";
            case "decimal" -> "9".repeat(digits());
            default -> "~";
        };
    }

    /* Before the point, of a decimal. */
    private int digits()
    {
        List<String> of = split(type.substring(type.indexOf('(') + 1, type.lastIndexOf(')')));
        return Integer.parseInt(of.get(0)) - Integer.parseInt(of.get(1));
    }

    private static void addParts(String value, String type, int depth, List<String> parts)
    {
        List<String> inner = type.contains("(") ? split(type.substring(type.indexOf('(') + 1, type.lastIndexOf(')'))) : List.of();
        if (depth == 0) {
            return;
        }
        switch (type.replaceFirst("\\(.*", "")) {
            case "row" -> {
                for (CorpusColumn field : parse(String.join(", ", inner))) {
                    if (field.isScalar()) {
                        parts.add(value + "." + field.name);
                    }
                    else {
                        addParts(value + "." + field.name, field.type, depth - 1, parts);
                    }
                }
            }
            case "array" -> {
                parts.add("cardinality(" + value + ")");
                parts.add("element_at(" + value + ", 1)");
                addParts("element_at(" + value + ", 2)", inner.get(0), depth - 1, parts);
            }
            case "map" -> {
                String key = inner.get(0).startsWith("varchar") ? "'k1'" : "CAST(1 AS " + inner.get(0) + ")";
                parts.add("map_keys(" + value + ")");
                parts.add("element_at(" + value + ", " + key + ")");
                addParts("element_at(" + value + ", " + key + ")", inner.get(1), depth - 1, parts);
            }
            default -> {
            }
        }
    }

    private static List<String> split(String list)
    {
        List<String> parts = new ArrayList<>();
        int depth = 0;
        int start = 0;
        for (int i = 0; i < list.length(); i++) {
            switch (list.charAt(i)) {
                case '(' -> depth++;
                case ')' -> depth--;
                case ',' -> {
                    if (depth == 0) {
                        parts.add(list.substring(start, i).trim());
                        start = i + 1;
                    }
                }
                default -> {
                }
            }
        }
        parts.add(list.substring(start).trim());
        return parts;
    }

    @Override
    public String toString()
    {
        return String.format(Locale.ROOT, "%s %s", name, type);
    }
}
