/**
 * The leaf of a plan, read from the plan's nodes: a scan, what is kept of its rows, what is made of them. Called where plans are made and where they run.
 *
 * <p>Invariants: <i>L1</i> a {@link io.eyrie.fragment.leaf.Leaf} gives what the nodes that it was read from give, for each split by itself. <i>L2</i> a leaf
 * whose result two runs over one split could differ in is refused.
 */
@NullMarked
package io.eyrie.fragment.leaf;

import org.jspecify.annotations.NullMarked;
