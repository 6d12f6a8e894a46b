// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.admission;

import io.eyrie.cache.file.Scope;
import io.eyrie.cache.store.PageKey;

import java.util.List;

/**
 * Decides whether missed data is worth fetching in whole granules and writing. A wrong decision costs speed, never correctness. Called
 * concurrently; does no I/O and does not throw.
 */
@FunctionalInterface
public interface AdmissionPolicy
{
    /** Admits everything. */
    AdmissionPolicy ALL = (page, scope, bytes, budget) -> Admission.ADMITTED;

    /**
     * Decides whether a range is fetched and cached.
     *
     * @param page the page in which the range begins
     * @param bytes the length of the range
     * @param budget the write budget of the query
     */
    Admission admit(PageKey page, Scope scope, long bytes, WriteBudget budget);

    /** Whether data of a table may be admitted: false if a rule excludes the table. */
    default boolean mayAdmit(Scope scope)
    {
        return true;
    }

    /** Replaces the operators' rules for tables. */
    default void steer(List<Steering> steering)
    {}
}
