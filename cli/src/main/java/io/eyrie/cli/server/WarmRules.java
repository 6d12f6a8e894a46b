// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.airlift.units.DataSize;
import io.eyrie.cache.config.NearestName;
import io.eyrie.cli.console.ReportedException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The rules of {@code eyrie warm}: a JSON file.
 *
 * @param every the time between two looks at the tables
 * @param dailyBytes maximum number of bytes to load on a day
 * @param quietHours times of day without warming
 * @param zone of the quiet hours and of days
 */
record WarmRules(Duration every, OptionalLong dailyBytes, List<Hours> quietHours, ZoneId zone, List<Rule> rules)
{
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration LEAST_EVERY = Duration.ofSeconds(1);
    private static final Duration MOST_EVERY = Duration.ofDays(1);
    private static final int MOST_RULES = 1000;
    private static final int MOST_NEWEST = 1000;

    WarmRules
    {
        quietHours = List.copyOf(quietHours);
        rules = List.copyOf(rules);
    }

    /**
     * A table to follow.
     *
     * @param data whether to load data, which includes footers
     * @param newest how many of the last partitions, in the order of their columns
     * @param maxBytes maximum size of the loaded files of a partition
     */
    record Rule(String schema, String table, boolean data, int newest, OptionalLong maxBytes)
    {
        /** Returns a name that no other rule of a file has. */
        String name()
        {
            return schema + "." + table + (data ? "" : " (footers)");
        }
    }

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

    /** Reads a file. Throws {@link ReportedException} about a wrong one. */
    static WarmRules read(Path file)
            throws IOException
    {
        return new Reader(file.toString()).read(Files.readString(file));
    }

    /** Reads the text of a file. For one file. */
    private static final class Reader
    {
        private final String file;

        private Reader(String file)
        {
            this.file = file;
        }

        private WarmRules read(String text)
        {
            JsonNode root;
            try {
                root = JSON.readTree(text);
            }
            catch (JsonProcessingException e) {
                throw new ReportedException(file + " is not JSON: " + e.getOriginalMessage() + ", in line " + e.getLocation().getLineNr());
            }
            checkKeys("the file", root, Set.of("every", "daily_bytes", "quiet_hours", "time_zone", "rules"));
            List<Hours> quiet = new ArrayList<>();
            for (JsonNode hours : list("quiet_hours", root)) {
                quiet.add(hours(hours.asText()));
            }
            List<Rule> rules = new ArrayList<>();
            Set<String> names = new HashSet<>();
            for (JsonNode node : list("rules", root)) {
                Rule rule = rule("rules[" + rules.size() + "]", node);
                if (!names.add(rule.name())) {
                    throw wrong("rules", rule.name(), "has more than one rule", "keep one of them");
                }
                rules.add(rule);
            }
            if (rules.isEmpty() || rules.size() > MOST_RULES) {
                throw wrong("rules", Integer.toString(rules.size()), "is not a number of rules from 1 to " + MOST_RULES,
                        "write \"rules\": [{\"schema\": \"web\", \"table\": \"clicks\"}]");
            }
            return new WarmRules(every(root.path("every").asText("1m")), bytes("daily_bytes", root), quiet, zone(root.path("time_zone").asText("")),
                    rules);
        }

        private Rule rule(String place, JsonNode node)
        {
            checkKeys(place, node, Set.of("schema", "table", "what", "newest", "max_bytes"));
            for (String key : List.of("schema", "table")) {
                if (!node.path(key).isTextual() || node.path(key).asText().isBlank()) {
                    throw wrong(place + "." + key, node.path(key).toString(), "is not a name", "write the " + key + "'s name in quotes");
                }
            }
            String what = node.path("what").asText("data");
            if (!what.equals("data") && !what.equals("footers")) {
                throw wrong(place + ".what", what, "is neither data nor footers", "write data, which loads data and footers, or footers");
            }
            JsonNode newest = node.path("newest");
            if (!newest.isMissingNode() && (!newest.isInt() || newest.asInt() < 1 || newest.asInt() > MOST_NEWEST)) {
                throw wrong(place + ".newest", newest.toString(), "is not a number of partitions from 1 to " + MOST_NEWEST,
                        "write for example 3, or omit it for 1");
            }
            OptionalLong maxBytes = bytes("max_bytes", node);
            if (maxBytes.isPresent() && what.equals("footers")) {
                throw wrong(place + ".max_bytes", node.path("max_bytes").asText(), "limits bytes of data, not of footers", "omit it");
            }
            return new Rule(node.path("schema").asText(), node.path("table").asText(), what.equals("data"), newest.asInt(1), maxBytes);
        }

        private Iterable<JsonNode> list(String key, JsonNode node)
        {
            JsonNode list = node.path(key);
            if (!list.isMissingNode() && !list.isArray()) {
                throw wrong(key, list.toString(), "is not a list", "write it in square brackets");
            }
            return list;
        }

        private void checkKeys(String place, JsonNode node, Set<String> known)
        {
            if (!node.isObject()) {
                throw wrong(place, node.toString(), "is not an object", "write {\"key\": value}");
            }
            node.fieldNames().forEachRemaining(key -> {
                if (!known.contains(key)) {
                    throw wrong(place, key, "is not a known key", NearestName.of(key, known).map(near -> "write " + near).orElse("remove it"));
                }
            });
        }

        private OptionalLong bytes(String key, JsonNode node)
        {
            JsonNode size = node.path(key);
            if (size.isMissingNode()) {
                return OptionalLong.empty();
            }
            try {
                long bytes = DataSize.valueOf(size.asText()).toBytes();
                if (bytes > 0) {
                    return OptionalLong.of(bytes);
                }
            }
            catch (IllegalArgumentException e) {
                // reported below
            }
            throw wrong(key, size.toString(), "is not a size above 0", "write for example \"100GB\"");
        }

        private Duration every(String text)
        {
            try {
                Duration every = Duration.ofMillis(io.airlift.units.Duration.valueOf(text).roundTo(TimeUnit.MILLISECONDS));
                if (every.compareTo(LEAST_EVERY) >= 0 && every.compareTo(MOST_EVERY) <= 0) {
                    return every;
                }
            }
            catch (IllegalArgumentException e) {
                // reported below
            }
            throw wrong("every", text, "is not a time from 1s to 1d", "write for example \"1m\"");
        }

        private Hours hours(String text)
        {
            String[] ends = text.split("-", -1);
            try {
                if (ends.length == 2) {
                    return new Hours(LocalTime.parse(ends[0].strip()), LocalTime.parse(ends[1].strip()));
                }
            }
            catch (DateTimeParseException e) {
                // reported below
            }
            throw wrong("quiet_hours", text, "is not a part of a day", "write for example \"08:00-10:30\"");
        }

        private ZoneId zone(String text)
        {
            try {
                return text.isEmpty() ? ZoneId.systemDefault() : ZoneId.of(text);
            }
            catch (DateTimeException e) {
                throw wrong("time_zone", text, "is not a time zone", "write for example \"Europe/Berlin\", or omit it for the zone of this machine");
            }
        }

        private ReportedException wrong(String key, String value, String problem, String fix)
        {
            return new ReportedException(file + ": " + key + ": " + value + " " + problem + ". To fix: " + fix + ".");
        }
    }
}
