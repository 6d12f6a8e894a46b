// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.soak;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * The contents of a table's files at each moment. From the begin of a change to its end, a file may have either content. An answer is right if it
 * follows from contents that the files may have had during the query; each file is considered independently. Thread-safe. Times are those of
 * {@link System#nanoTime}.
 */
final class Truth
{
    private static final long NEVER = Long.MAX_VALUE;
    private static final int MOST_STATES = 4096;
    private static final long FORGOTTEN_AFTER_NANOS = TimeUnit.MINUTES.toNanos(30);

    @GuardedBy("this")
    private final Map<String, Map<String, List<Version>>> partitions = new TreeMap<>();

    /** A content that a file may have had from one time to another; empty: the file did not exist. */
    private record Version(Optional<Content> content, long from, long until)
    {}

    /** A change of a file that has begun. */
    record Change(String partition, String file, Optional<Content> content)
    {}

    /** Records that a change of a file begins; until {@link #ended}, the file may have either content. */
    synchronized Change begin(String partition, String file, Optional<Content> content, long now)
    {
        forget(now - FORGOTTEN_AFTER_NANOS);
        List<Version> versions = partitions.computeIfAbsent(partition, any -> new TreeMap<>()).computeIfAbsent(file, any -> new ArrayList<>(List.of(
                new Version(Optional.empty(), Long.MIN_VALUE, NEVER))));
        versions.add(new Version(content, now, NEVER));
        return new Change(partition, file, content);
    }

    /* Removes old versions; no query takes that long. */
    @GuardedBy("this")
    private void forget(long before)
    {
        partitions.values().forEach(files -> {
            files.values().forEach(versions -> versions.removeIf(version -> version.until < before));
            files.values().removeIf(versions -> versions.size() == 1 && versions.get(0).content.isEmpty() && versions.get(0).from < before);
        });
        partitions.values().removeIf(Map::isEmpty);
    }

    /** Records that a change has ended: from now on, the file has only the new content. */
    synchronized void ended(Change change, long now)
    {
        List<Version> versions = versions(change);
        for (int i = 0; i < versions.size() - 1; i++) {
            Version version = versions.get(i);
            if (version.until == NEVER) {
                versions.set(i, new Version(version.content, version.from, now));
            }
        }
    }

    @GuardedBy("this")
    private List<Version> versions(Change change)
    {
        return partitions.getOrDefault(change.partition, Map.of()).getOrDefault(change.file, List.of());
    }

    /** Returns the files of a partition after all changes that have begun. */
    synchronized Map<String, Content> files(String partition)
    {
        Map<String, Content> files = new TreeMap<>();
        partitions.getOrDefault(partition, Map.of()).forEach((file, versions) -> versions.get(versions.size() - 1).content.ifPresent(
                content -> files.put(file, content)));
        return files;
    }

    synchronized List<String> partitions()
    {
        return List.copyOf(partitions.keySet());
    }

    /**
     * Returns the contents that the files of a partition, or of all, may have had between two times: each state is a list of contents by partition.
     *
     * @throws IllegalStateException if there are too many states to examine, because changes never ended
     */
    synchronized List<State> states(Optional<String> partition, long from, long until)
    {
        List<State> states = new ArrayList<>(List.of(new State(new TreeMap<>())));
        partitions.forEach((name, files) -> {
            if (partition.isEmpty() || partition.get().equals(name)) {
                for (List<Version> versions : files.values()) {
                    Set<Optional<Content>> possible = new LinkedHashSet<>();
                    versions.stream().filter(version -> version.from <= until && version.until >= from).forEach(version -> possible.add(
                            version.content));
                    multiply(states, name, possible);
                }
            }
        });
        return states;
    }

    private static void multiply(List<State> states, String partition, Set<Optional<Content>> possible)
    {
        List<State> before = List.copyOf(states);
        states.clear();
        for (Optional<Content> content : possible) {
            before.forEach(state -> states.add(state.with(partition, content)));
        }
        if (states.size() > MOST_STATES) {
            throw new IllegalStateException("More than " + MOST_STATES + " states are possible");
        }
    }

    /** The contents of the files, by partition. */
    record State(Map<String, List<Content>> partitions)
    {
        State with(String partition, Optional<Content> content)
        {
            if (content.isEmpty()) {
                return this;
            }
            Map<String, List<Content>> more = new TreeMap<>(partitions);
            List<Content> files = new ArrayList<>(more.getOrDefault(partition, List.of()));
            files.add(content.get());
            more.put(partition, files);
            return new State(more);
        }
    }
}
