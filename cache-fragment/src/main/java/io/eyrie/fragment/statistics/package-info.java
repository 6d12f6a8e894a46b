// SPDX-License-Identifier: Apache-2.0
/**
 * Evaluates predicates against the statistics of a file or a partition: proves that a conjunct is true for every row, or that no row satisfies it, or
 * nothing. No I/O.
 *
 * <p>Invariants: <i>S1</i> a conjunct is dropped only if it is true (not false, not null) for every row. <i>S2</i> a verdict is none only if no row
 * satisfies all conjuncts. Both hold if the given domains contain every value of their columns, and null if it occurs.
 */
@NullMarked
package io.eyrie.fragment.statistics;

import org.jspecify.annotations.NullMarked;
