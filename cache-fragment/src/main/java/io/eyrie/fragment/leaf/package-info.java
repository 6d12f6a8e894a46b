// SPDX-License-Identifier: Apache-2.0
/**
 * Leaf fragments, read from plan nodes: a scan, the conditions on its rows, and the projections or aggregates over them. Called where plans are made
 * and where they run.
 *
 * <p>Invariants: <i>L1</i> for each split by itself, a {@link io.eyrie.fragment.leaf.Leaf} produces the same result as the nodes that it was read
 * from. <i>L2</i> a leaf is refused if two runs over one split could produce different results.
 */
@NullMarked
package io.eyrie.fragment.leaf;

import org.jspecify.annotations.NullMarked;
