package io.eyrie.cache.admission;

import io.eyrie.cache.file.Scope;
import io.eyrie.cache.page.PageKey;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Keeps what was missed before and not too long ago. Remembers a number of pages, four bytes each; a page is forgotten when another one takes its
 * place.
 */
final class SecondTouch
        implements AdmissionPolicy
{
    /*
     * Table       A fingerprint a slot, of the page that was last refused there; 0 is none. Two readers at one slot: one may be forgotten.
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
        // the page's number only chooses the slot beside the file's hash: both halves of the hash are random
        long mixed = page.hashHigh() + (page.pageNumber() * 0x9E3779B97F4A7C15L);
        int slot = Math.floorMod(mixed ^ (mixed >>> 32), fingerprints.length());
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
