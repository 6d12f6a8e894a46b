/**
 * Takes down what the layers did, and for whom: for the latest queries, by table and partition, by file. Every layer writes here; the package {@code console}
 * shows it.
 *
 * <p>Invariant: nothing that is taken down decides what a query gets.
 */
@NullMarked
package io.eyrie.presto.ledger;

import org.jspecify.annotations.NullMarked;
