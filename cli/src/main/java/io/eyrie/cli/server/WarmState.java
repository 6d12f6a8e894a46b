// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.eyrie.cli.console.ReportedException;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import static java.util.Objects.requireNonNull;

/**
 * The memory of {@code eyrie warm}, in a file: the partitions that are done or that a budget ended, of each rule no more than its newest ones, the queries that ran on the latest
 * occasion of each rule, and the bytes loaded on the current day. For one thread.
 */
final class WarmState
{
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    private static final int VERSION = 1;

    private final Path file;
    private final Map<String, Set<String>> done = new TreeMap<>();
    private final Map<String, Map<String, Long>> begun = new TreeMap<>();
    private final Map<String, ReplayedQueries> replayed = new TreeMap<>();
    private LocalDate day = LocalDate.EPOCH;
    private long loadedBytes;

    private record ReplayedQueries(String occasion, Set<String> queries)
    {}

    private WarmState(Path file)
    {
        this.file = requireNonNull(file, "file is null");
    }

    /** Reads the state, or returns an empty one if there is no file. Throws {@link ReportedException} if the file contains something else. */
    static WarmState read(Path file)
            throws IOException
    {
        WarmState state = new WarmState(file);
        if (!Files.exists(file)) {
            return state;
        }
        try {
            JsonNode root = JSON.readTree(Files.readString(file));
            if (root.path("version").asInt() != VERSION) {
                throw new IOException("its version is " + root.path("version") + ", not " + VERSION);
            }
            state.day = LocalDate.parse(root.path("day").asText());
            state.loadedBytes = root.path("loaded_bytes").asLong();
            root.path("done").fields().forEachRemaining(rule -> rule.getValue().forEach(name -> state.of(rule.getKey()).add(name.asText())));
            root.path("begun").fields().forEachRemaining(rule -> rule.getValue().fields().forEachRemaining(
                    partition -> state.begunOf(rule.getKey()).put(partition.getKey(), partition.getValue().asLong())));
            root.path("replayed").fields().forEachRemaining(rule -> rule.getValue().path("queries").forEach(query -> state.add(rule.getKey(), rule
                    .getValue().path("occasion").asText(), query.asText())));
            return state;
        }
        catch (IOException | DateTimeException e) {
            throw new ReportedException(file + " is not a state of eyrie warm: " + e.getMessage()
                    + ". To fix: name another file with --state, or delete it; the newest partitions are then warmed again.");
        }
    }

    boolean isDone(String rule, String partition)
    {
        return of(rule).contains(partition);
    }

    /** Returns the size of the files of a partition that were warmed before a budget ended it; 0 if none did. */
    long begunBytes(String rule, String partition)
    {
        return begunOf(rule).getOrDefault(partition, 0L);
    }

    /** Records that a budget ended a partition, and stores the state. */
    void begun(String rule, String partition, long bytes)
    {
        begunOf(rule).put(partition, bytes);
        store();
    }

    /** Forgets all partitions of a rule but these. */
    void retain(String rule, Collection<String> newest)
    {
        of(rule).retainAll(new HashSet<>(newest));
        begunOf(rule).keySet().retainAll(new HashSet<>(newest));
    }

    long loadedBytes(LocalDate today)
    {
        return day.equals(today) ? loadedBytes : 0;
    }

    /** Records loaded bytes, and stores the state. Like {@link #done}, it throws {@link UncheckedIOException} if that fails. */
    void loaded(LocalDate today, long bytes)
    {
        loadedBytes = loadedBytes(today) + bytes;
        day = today;
        store();
    }

    /** Records that a partition is done, and stores the state. */
    void done(String rule, String partition)
    {
        of(rule).add(partition);
        begunOf(rule).remove(partition);
        store();
    }

    /** Whether a query of the rule ran on any occasion. */
    boolean hasOccasion(String rule)
    {
        return replayed.containsKey(rule);
    }

    boolean isReplayed(String rule, String occasion, String query)
    {
        ReplayedQueries last = replayed.get(rule);
        return last != null && last.occasion.equals(occasion) && last.queries.contains(query);
    }

    /** Records that a query ran on an occasion, forgets all earlier occasions of the rule, and stores the state. */
    void replayed(String rule, String occasion, String query)
    {
        add(rule, occasion, query);
        store();
    }

    private void add(String rule, String occasion, String query)
    {
        ReplayedQueries last = replayed.get(rule);
        if (last == null || !last.occasion.equals(occasion)) {
            last = new ReplayedQueries(occasion, new TreeSet<>());
            replayed.put(rule, last);
        }
        last.queries.add(query);
    }

    private Set<String> of(String rule)
    {
        return done.computeIfAbsent(rule, any -> new TreeSet<>());
    }

    private Map<String, Long> begunOf(String rule)
    {
        return begun.computeIfAbsent(rule, any -> new TreeMap<>());
    }

    /* A reader finds the previous state or this one. */
    private void store()
    {
        ObjectNode root = JSON.createObjectNode().put("version", VERSION).put("day", day.toString()).put("loaded_bytes", loadedBytes);
        ObjectNode rules = root.putObject("done");
        done.forEach((rule, names) -> {
            ArrayNode list = rules.putArray(rule);
            names.forEach(list::add);
        });
        ObjectNode ended = root.putObject("begun");
        begun.forEach((rule, partitions) -> {
            ObjectNode bytes = ended.putObject(rule);
            partitions.forEach(bytes::put);
        });
        ObjectNode replays = root.putObject("replayed");
        replayed.forEach((rule, last) -> {
            ArrayNode list = replays.putObject(rule).put("occasion", last.occasion).putArray("queries");
            last.queries.forEach(list::add);
        });
        Path next = file.resolveSibling(file.getFileName() + ".new");
        try {
            Files.writeString(next, JSON.writeValueAsString(root) + "\n");
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
        catch (IOException e) {
            throw new UncheckedIOException(new IOException(file + " cannot be written: " + e.getMessage(), e));
        }
    }
}
