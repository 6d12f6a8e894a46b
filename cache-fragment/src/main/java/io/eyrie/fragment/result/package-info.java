/**
 * Results of leaves, by key, in the store that keeps the pages: recorded while they are computed, kept when they are whole.
 *
 * <p>Invariants: <i>R1</i> a result is given back as it was recorded, or not at all. <i>R2</i> only what was recorded to its end is kept or shared.
 * <i>R3</i> no failure of the store and no bound fails a query: the leaf is then computed. <i>R4</i> nobody waits for another's computation longer than
 * {@link io.eyrie.fragment.result.FragmentLimits#waitMillis}. <i>R5</i> lookups = hits + narrowed hits + waits + misses.
 * <i>R6</i> results being recorded and served hold a bounded memory together, and a served result at most its stored bytes and one page.
 */
@NullMarked
package io.eyrie.fragment.result;

import org.jspecify.annotations.NullMarked;
