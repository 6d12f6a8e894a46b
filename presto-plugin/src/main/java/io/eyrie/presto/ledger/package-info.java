// SPDX-License-Identifier: Apache-2.0
/**
 * Records the work of the layers: for the latest queries, by table and partition, and by file. Every layer writes here; the package {@code console} shows it.
 *
 * <p>Invariant: no record affects the result of a query.
 */
@NullMarked
package io.eyrie.presto.ledger;

import org.jspecify.annotations.NullMarked;
