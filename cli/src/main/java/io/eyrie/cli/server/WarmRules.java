// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.server;

import io.eyrie.cli.console.ReportedException;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The rules of {@code eyrie warm}.
 *
 * @param every the time between two looks at the tables
 * @param dailyBytes maximum number of bytes to load on a day
 * @param quietHours times of day without warming
 * @param zone of all times of day, and of days
 */
record WarmRules(Duration every, OptionalLong dailyBytes, List<Hours> quietHours, ZoneId zone, List<Rule> rules)
{
    WarmRules
    {
        quietHours = List.copyOf(quietHours);
        rules = List.copyOf(rules);
    }

    /** What a rule loads of each new partition. */
    enum What
    {
        /** Data, which includes footers. */
        DATA,
        FOOTERS,
        /** Only what the rule's queries read. */
        QUERIES;

        /** Returns the name in rules and in SQL. */
        String label()
        {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * A table to follow, or a time of day.
     *
     * @param table the table; empty for a time of day
     * @param newest how many of the last partitions, in the order of their columns
     * @param maxBytes maximum size of the loaded files of a partition
     */
    record Rule(String schema, Optional<String> table, What what, int newest, OptionalLong maxBytes, Replay replay)
    {
        /** Returns a name that no other rule of a file has. */
        String name()
        {
            return table.map(name -> schema + "." + name + (what == What.DATA ? "" : " (" + what.label() + ")"))
                    .or(() -> replay.at().map(time -> schema + " at " + time)).orElse(schema)
                    + replay.user().map(user -> " as " + user).orElse("");
        }

        List<Query> queries()
        {
            return replay.queries();
        }
    }

    /**
     * Queries to run.
     *
     * @param at when they run on each day; empty to run them after new partitions of a table
     * @param headers those of the protocol that describe the session of users
     */
    record Replay(List<Query> queries, Optional<LocalTime> at, Map<String, String> headers)
    {
        static final String USER = "X-Presto-User";
        static final Replay NONE = new Replay(List.of(), Optional.empty(), Map.of());

        Replay
        {
            queries = List.copyOf(queries);
            headers = Map.copyOf(headers);
        }

        Optional<String> user()
        {
            return Optional.ofNullable(headers.get(USER));
        }
    }

    /**
     * A query.
     *
     * @param file the name of its file in the rule
     */
    record Query(String file, String sql)
    {}

    /** A part of each day; ends on the next day if the end is not after the start. */
    record Hours(LocalTime start, LocalTime end)
    {
        boolean contains(LocalTime time)
        {
            return start.isBefore(end) ? !time.isBefore(start) && time.isBefore(end) : !time.isBefore(start) || time.isBefore(end);
        }
    }

    /** Returns the quiet hours that contain a time of day. */
    Optional<Hours> quietAt(LocalTime time)
    {
        return quietHours.stream().filter(hours -> hours.contains(time)).findFirst();
    }

    /** Reads a JSON file and the queries that it names. Throws {@link ReportedException} about a wrong one. */
    static WarmRules read(Path file)
            throws IOException
    {
        return new WarmRulesReader(file).read();
    }
}
