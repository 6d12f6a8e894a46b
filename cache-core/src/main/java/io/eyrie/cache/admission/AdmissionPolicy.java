package io.eyrie.cache.admission;

import io.eyrie.cache.file.Scope;
import io.eyrie.cache.page.PageKey;
import io.eyrie.cache.page.Steering;

import java.util.List;

/**
 * Decides whether what a reader misses is worth being fetched in whole granules and written. A wrong answer costs speed, never
 * correctness. Called concurrently; does no I/O and does not throw.
 */
@FunctionalInterface
public interface AdmissionPolicy
{
    /** Admits everything. */
    AdmissionPolicy ALL = (page, scope, bytes, budget) -> Admission.ADMITTED;

    /**
     * Whether a range is fetched and kept.
     *
     * @param page the page that the range begins in
     * @param bytes the length of the range
     * @param budget what the query may have written
     */
    Admission admit(PageKey page, Scope scope, long bytes, WriteBudget budget);

    /** Takes what operators say of tables, in the place of what they said before. */
    default void steer(List<Steering> steering)
    {}
}
