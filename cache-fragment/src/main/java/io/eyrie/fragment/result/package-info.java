// SPDX-License-Identifier: Apache-2.0
/**
 * Stores fragment results by key in the store that also holds the pages. A result is recorded while it is computed, and stored when it is complete.
 *
 * <p>Invariants: <i>R1</i> a result is returned exactly as it was recorded, or not at all. <i>R2</i> only results recorded to their end are stored or
 * shared. <i>R3</i> no store failure and no bound fails a query: the leaf is computed instead. <i>R4</i> no thread waits for another's computation
 * longer than {@link io.eyrie.fragment.result.FragmentLimits#waitMillis}. <i>R5</i> lookups = hits + narrowed hits + subsumed hits + waits + misses.
 * <i>R6</i> the results being recorded and served together hold bounded memory, and a served result holds at most its stored bytes and one page.
 */
@NullMarked
package io.eyrie.fragment.result;

import org.jspecify.annotations.NullMarked;
