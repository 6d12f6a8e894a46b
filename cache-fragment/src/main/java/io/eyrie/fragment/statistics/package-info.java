/**
 * What statistics of a file or a partition prove of a predicate: that it is true of every row, that it is true of none, or nothing. No I/O.
 *
 * <p>Invariants: <i>S1</i> a conjunct is left out only if it is true, not false and not null, of every row. <i>S2</i> rows are called none only if no row
 * satisfies all conjuncts. Both hold if the domains that are given hold every value of their columns, and null if there is one.
 */
@NullMarked
package io.eyrie.fragment.statistics;

import org.jspecify.annotations.NullMarked;
