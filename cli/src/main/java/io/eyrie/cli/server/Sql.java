// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.server;

import com.fasterxml.jackson.databind.JsonNode;
import io.eyrie.cli.console.ReportedException;
import io.eyrie.cli.server.PrestoServer.Column;

import java.util.regex.Pattern;

/** Writes names and values in SQL. */
final class Sql
{
    private static final Pattern TYPE = Pattern.compile("[a-z0-9 (),]+");

    private Sql()
    {}

    static String name(String name)
    {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    static String text(String text)
    {
        return '\'' + text.replace("'", "''") + '\'';
    }

    /** Returns the condition that a column has a value of a result. */
    static String equal(Column column, JsonNode value)
    {
        if (value.isNull()) {
            return name(column.name()) + " IS NULL";
        }
        if (!TYPE.matcher(column.type()).matches()) {
            throw new ReportedException("Column " + column.name() + " has the type " + column.type() + ", of which partitions cannot be named");
        }
        return name(column.name()) + " = CAST(" + text(value.asText()) + " AS " + column.type() + ")";
    }
}
