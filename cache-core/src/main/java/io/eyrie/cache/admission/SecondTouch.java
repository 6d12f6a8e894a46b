// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.admission;

import io.eyrie.cache.file.Scope;
import io.eyrie.cache.rendezvous.Hashing;
import io.eyrie.cache.store.PageKey;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Admits pages that were missed before, not too long ago, and all reads that an operator ordered. Remembers a fixed number of pages, four bytes
 * each; a page is forgotten when another takes its slot.
 */
final class SecondTouch
        implements AdmissionPolicy
{
    /*
     * Table       One fingerprint per slot, of the page last refused there; 0 = none. If two readers use one slot at once, one page may be forgotten.
     */
    private final AtomicIntegerArray fingerprints;

    SecondTouch(int pages)
    {
        fingerprints = new AtomicIntegerArray(pages);
    }

    @Override
    public Admission admit(PageKey page, Scope scope, long bytes, WriteBudget budget)
    {
        if (budget.isOrdered()) {
            return Admission.ADMITTED;
        }
        int slot = Math.floorMod(Hashing.hash(page.hashHigh(), page.pageNumber()), fingerprints.length());
        int fingerprint = fingerprint(page);
        if (fingerprints.get(slot) == fingerprint) {
            return Admission.ADMITTED;
        }
        fingerprints.set(slot, fingerprint);
        return Admission.SEEN_ONCE;
    }

    private static int fingerprint(PageKey page)
    {
        int fingerprint = page.hashCode();
        return fingerprint == 0 ? 1 : fingerprint;
    }
}
