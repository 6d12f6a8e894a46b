// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.airlift.units.DataSize;
import io.eyrie.cache.config.NearestName;
import io.eyrie.cli.console.ReportedException;
import io.eyrie.cli.server.WarmRules.Hours;
import io.eyrie.cli.server.WarmRules.Query;
import io.eyrie.cli.server.WarmRules.Replay;
import io.eyrie.cli.server.WarmRules.Rule;
import io.eyrie.cli.server.WarmRules.What;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import static java.util.Objects.requireNonNull;

/** Reads the rules of {@code eyrie warm} from a JSON file. For one file. */
final class WarmRulesReader
{
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration LEAST_EVERY = Duration.ofSeconds(1);
    private static final Duration MOST_EVERY = Duration.ofDays(1);
    private static final int MOST_RULES = 1000;
    private static final int MOST_NEWEST = 1000;
    private static final int MOST_QUERIES = 1000;
    /** Presto's default of query.max-length. */
    private static final int MOST_SQL = 1_000_000;
    private static final Pattern COMMENTS = Pattern.compile("(?s)^(?:\\s|\\(|--[^\n]*+\n|/\\*.*?\\*/)*+");
    private static final Pattern QUERY = Pattern.compile("(?is)^(?:SELECT|WITH)\\b.*");
    private static final Pattern END = Pattern.compile("[\\s;]+$");

    private final Path path;
    private final String file;
    private int numberOfQueries;

    WarmRulesReader(Path path)
    {
        this.path = requireNonNull(path, "path is null");
        file = path.toString();
    }

    WarmRules read()
            throws IOException
    {
        return read(Files.readString(path));
    }

    private WarmRules read(String text)
            throws IOException
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
        return new WarmRules(every(root.path("every").asText("1m")), bytes("daily_bytes", root), quiet,
                root.has("time_zone") ? zone("time_zone", root.path("time_zone").asText()) : ZoneId.systemDefault(),
                rules);
    }

    private Rule rule(String place, JsonNode node)
            throws IOException
    {
        checkKeys(place, node, Set.of("schema", "table", "what", "newest", "max_bytes", "queries", "at", "session"));
        String schema = name(place + ".schema", node.path("schema"));
        Replay replay = replay(place, node);
        if (replay.at().isPresent()) {
            for (String key : List.of("table", "what", "newest", "max_bytes")) {
                if (node.has(key)) {
                    throw wrong(place + "." + key, node.path(key).toString(), "does not fit at, which runs queries at a time of day",
                            "omit one of them; write a second rule for new partitions of a table");
                }
            }
            return new Rule(schema, Optional.empty(), What.QUERIES, 1, OptionalLong.empty(), replay);
        }
        String table = name(place + ".table", node.path("table"));
        What what = what(place + ".what", node.path("what").asText(What.DATA.label()));
        if (what == What.QUERIES && replay.queries().isEmpty()) {
            throw wrong(place + ".what", what.label(), "needs queries, and there is none", "write \"queries\": [\"dashboard.sql\"]");
        }
        JsonNode newest = node.path("newest");
        if (!newest.isMissingNode() && (!newest.isInt() || newest.asInt() < 1 || newest.asInt() > MOST_NEWEST)) {
            throw wrong(place + ".newest", newest.toString(), "is not a number of partitions from 1 to " + MOST_NEWEST,
                    "write for example 3, or omit it for 1");
        }
        OptionalLong maxBytes = bytes("max_bytes", node);
        if (maxBytes.isPresent() && what != What.DATA) {
            throw wrong(place + ".max_bytes", node.path("max_bytes").asText(), "limits bytes of data, not of " + what.label(), "omit it");
        }
        return new Rule(schema, Optional.of(table), what, newest.asInt(1), maxBytes, replay);
    }

    private String name(String key, JsonNode name)
    {
        if (!name.isTextual() || name.asText().isBlank()) {
            throw wrong(key, name.toString(), "is not a name", "write the " + key.substring(key.lastIndexOf('.') + 1) + "'s name in quotes");
        }
        return name.asText();
    }

    private What what(String key, String text)
    {
        for (What what : What.values()) {
            if (what.label().equals(text)) {
                return what;
            }
        }
        throw wrong(key, text, "is neither data, footers nor queries",
                "write data, which loads data and footers, footers, or queries, which loads what the queries of the rule read");
    }

    private Replay replay(String place, JsonNode node)
            throws IOException
    {
        Map<String, Query> queries = new LinkedHashMap<>();
        for (JsonNode name : list("queries", node)) {
            if (++numberOfQueries > MOST_QUERIES) {
                throw wrong(place + ".queries", name.asText(), "is beyond " + MOST_QUERIES + " queries of all rules", "omit some");
            }
            if (queries.put(name.asText(), query(place + ".queries", name.asText())) != null) {
                throw wrong(place + ".queries", name.asText(), "occurs twice", "keep one of them");
            }
        }
        if (queries.isEmpty()) {
            for (String key : List.of("at", "session")) {
                if (node.has(key)) {
                    throw wrong(place + "." + key, node.path(key).toString(), "is of queries, and there is none",
                            "write \"queries\": [\"dashboard.sql\"], or omit " + key);
                }
            }
            return Replay.NONE;
        }
        return new Replay(List.copyOf(queries.values()), at(place + ".at", node.path("at")), session(place + ".session", node.path("session")));
    }

    private Query query(String key, String name)
            throws IOException
    {
        String sql;
        try {
            Path query = path.toAbsolutePath().resolveSibling(name);
            if (name.isBlank() || !Files.isRegularFile(query)) {
                throw wrong(key, name, "is not a file", "name a file with one query, relative to the directory of " + file);
            }
            if (Files.size(query) > MOST_SQL) {
                throw wrong(key, name, "has " + Files.size(query) + " bytes, more than " + MOST_SQL, "write a shorter query");
            }
            sql = END.matcher(Files.readString(query)).replaceFirst("");
        }
        catch (InvalidPathException e) {
            throw wrong(key, name, "is not a file's name: " + e.getReason(), "name a file with one query");
        }
        if (!QUERY.matcher(COMMENTS.matcher(sql).replaceFirst("")).matches()) {
            throw wrong(key, name, "contains another statement than a query, or none", "write one SELECT or WITH");
        }
        return new Query(name, sql);
    }

    private Optional<LocalTime> at(String key, JsonNode time)
    {
        try {
            return time.isMissingNode() ? Optional.empty() : Optional.of(LocalTime.parse(time.asText()));
        }
        catch (DateTimeParseException e) {
            throw wrong(key, time.toString(), "is not a time of day", "write for example \"06:30\"");
        }
    }

    private Map<String, String> session(String key, JsonNode session)
    {
        if (session.isMissingNode()) {
            return Map.of();
        }
        checkKeys(key, session, Set.of("user", "time_zone", "locale"));
        Map<String, String> headers = new HashMap<>();
        if (session.has("user")) {
            String user = name(key + ".user", session.path("user"));
            if (!user.chars().allMatch(c -> c >= ' ' && c <= '~')) {
                throw wrong(key + ".user", user, "has characters that a request cannot send", "use printable ASCII characters");
            }
            headers.put(Replay.USER, user);
        }
        if (session.has("time_zone")) {
            headers.put("X-Presto-Time-Zone", zone(key + ".time_zone", session.path("time_zone").asText()).getId());
        }
        if (session.has("locale")) {
            String tag = session.path("locale").asText();
            if (tag.isEmpty() || !Locale.forLanguageTag(tag).toLanguageTag().equals(tag)) {
                throw wrong(key + ".locale", tag, "is not the tag of a locale", "write for example \"en-US\"");
            }
            headers.put("X-Presto-Language", tag);
        }
        return headers;
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

    private ZoneId zone(String key, String text)
    {
        try {
            return ZoneId.of(text);
        }
        catch (DateTimeException e) {
            throw wrong(key, text, "is not a time zone", "write for example \"Europe/Berlin\", or omit it");
        }
    }

    private ReportedException wrong(String key, String value, String problem, String fix)
    {
        return new ReportedException(file + ": " + key + ": " + value + " " + problem + ". To fix: " + fix + ".");
    }
}
