// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration.suites;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;

/** Counts the comparisons of a run. Thread-safe. */
final class SuiteCounts
{
    private static final int CAUSES = 25;

    final LongAdder executions = new LongAdder();
    final LongAdder equalAnswers = new LongAdder();
    final LongAdder equalErrors = new LongAdder();
    final ConcurrentLinkedQueue<String> differences = new ConcurrentLinkedQueue<>();
    private final Map<String, LongAdder> answeredBySuite = new ConcurrentHashMap<>();
    private final Map<String, Set<String>> joinedBySuite = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> errorCauses = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> exclusions = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> unstable = new ConcurrentHashMap<>();

    void equal(String suite)
    {
        equalAnswers.increment();
        add(answeredBySuite, suite);
    }

    void equalError(int code, String error)
    {
        equalErrors.increment();
        add(errorCauses, code + " " + error.lines().findFirst().orElse("").replaceAll("[(]#\\w+[)]|line \\d+:\\d+|\\d+|'[^']*'|s3a:\\S+", ""));
    }

    /** Counts a statement some of whose joins became one scan. */
    void joined(String suite, String statement)
    {
        joinedBySuite.computeIfAbsent(suite, key -> ConcurrentHashMap.newKeySet()).add(statement);
    }

    /** Returns the number of different statements of a suite with joined scans. */
    int joined(String suite)
    {
        return joinedBySuite.getOrDefault(suite, Set.of()).size();
    }

    void excluded(String reason)
    {
        add(exclusions, reason);
    }

    /** Counts a statement for which stock itself gave two different answers. */
    void unstable(String statement)
    {
        add(unstable, statement);
    }

    long answered(String suite)
    {
        LongAdder count = answeredBySuite.get(suite);
        return count == null ? 0 : count.sum();
    }

    long unstable()
    {
        return unstable.values().stream().mapToLong(LongAdder::sum).sum();
    }

    @Override
    public String toString()
    {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(Locale.ROOT,
                "%s executions, %s equal answers, %s equal errors (%.1f %%), %s that stock itself answers in two ways, %s differences", executions,
                equalAnswers, equalErrors, 100.0 * equalErrors.sum() / Math.max(1, equalAnswers.sum() + equalErrors.sum()), unstable(), differences
                        .size()));
        append(lines, "equal answers", answeredBySuite);
        joinedBySuite.forEach((suite, statements) -> lines.add(String.format(Locale.ROOT, "%s statements of %s with joined scans", statements.size(),
                suite)));
        append(lines, "equal errors", errorCauses);
        append(lines, "not or not wholly compared", exclusions);
        append(lines, "stock answers in two ways", unstable);
        return String.join("\n", lines);
    }

    private static void append(List<String> lines, String title, Map<String, LongAdder> counts)
    {
        lines.add(title + ":");
        counts.entrySet().stream().sorted((a, b) -> Long.compare(b.getValue().sum(), a.getValue().sum())).limit(CAUSES).forEach(entry -> lines.add(
                String.format(Locale.ROOT,
                        "  %6d %s", entry.getValue().sum(), entry.getKey().lines().findFirst().orElse(""))));
    }

    private static void add(Map<String, LongAdder> counts, String what)
    {
        counts.computeIfAbsent(what, key -> new LongAdder()).increment();
    }
}
