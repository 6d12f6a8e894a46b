// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration.generator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts the occurrences of the cases that a run claims to cover. Thread-safe. */
final class Coverage
{
    private final Map<String, Map<String, LongAdder>> counts = new ConcurrentSkipListMap<>();

    void count(String group, Object what)
    {
        count(group, what, 1);
    }

    void count(String group, Object what, long times)
    {
        counts.computeIfAbsent(group, key -> new ConcurrentSkipListMap<>()).computeIfAbsent(what.toString(), key -> new LongAdder()).add(times);
    }

    long of(String group, Object what)
    {
        LongAdder count = counts.getOrDefault(group, Map.of()).get(what.toString());
        return count == null ? 0 : count.sum();
    }

    /** Returns those of {@code claimed} that never occurred. */
    List<String> missing(String group, Collection<?> claimed)
    {
        return claimed.stream().filter(what -> of(group, what) == 0).map(what -> group + " " + what).toList();
    }

    List<String> missing(String group, Enum<?>[] claimed)
    {
        return missing(group, Arrays.asList(claimed));
    }

    @Override
    public String toString()
    {
        List<String> lines = new ArrayList<>();
        counts.forEach((group, members) -> {
            Map<String, Long> sums = new TreeMap<>();
            members.forEach((what, count) -> sums.put(what, count.sum()));
            lines.add(String.format(Locale.ROOT, "%-18s %s", group, sums));
        });
        return String.join("\n", lines);
    }
}
