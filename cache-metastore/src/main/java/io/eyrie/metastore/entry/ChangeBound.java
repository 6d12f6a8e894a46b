// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.entry;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

import static java.util.Objects.requireNonNull;

/** Bounds how many changed partitions all subjects together remember. Thread-safe. */
final class ChangeBound
{
    /*
     * Count  the partitions that subjects began to remember. What they no longer remember is not subtracted, so the count is never too small. When it exceeds the
     *        bound, the partitions are counted again, and subjects are dropped only if that count exceeds it, too
     */
    static final int MOST_CHANGES = 250_000;

    private final Collection<Subject> subjects;
    private final Consumer<Subject> drop;
    private final AtomicLong count = new AtomicLong();

    /**
     * @param subjects a live view of all subjects
     * @param drop ends a subject that remembers the most changed partitions, so that it remembers none
     */
    ChangeBound(Collection<Subject> subjects, Consumer<Subject> drop)
    {
        this.subjects = requireNonNull(subjects, "subjects is null");
        this.drop = requireNonNull(drop, "drop is null");
    }

    /** Counts partitions that a subject remembers from now on. */
    void add(int partitions)
    {
        if (count.addAndGet(partitions) > MOST_CHANGES) {
            enforce();
        }
    }

    private synchronized void enforce()
    {
        long counted = count.get(); // first: partitions that are added meanwhile may count twice, but are never left out
        if (counted <= MOST_CHANGES) {
            return;
        }
        Map<Subject, Integer> remembered = new HashMap<>();
        subjects.forEach(subject -> remembered.put(subject, subject.changedPartitions()));
        long all = remembered.values().stream().mapToLong(Integer::longValue).sum();
        while (all > MOST_CHANGES) {
            Map.Entry<Subject, Integer> most = remembered.entrySet().stream().max(Comparator.comparing(Map.Entry::getValue)).orElseThrow();
            remembered.remove(most.getKey());
            drop.accept(most.getKey());
            all -= most.getValue();
        }
        count.addAndGet(all - counted);
    }
}
