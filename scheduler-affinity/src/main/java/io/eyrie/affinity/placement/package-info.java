/**
 * Which node should read, and keep, which part of which file: keys, nodes and weights in, an ordered list of candidates
 * out. Nothing of an engine is known here; an engine's adapter keeps a {@link io.eyrie.affinity.placement.Members},
 * and makes one {@link io.eyrie.affinity.placement.QueryPlacement} for the splits of one query.
 *
 * <p>Invariants:
 * <ul>
 * <li>P1 the order of candidates of a key depends on the key, the nodes' identifiers and their weights alone; it is the
 * same in every process and release that keeps the recorded values of the tests;
 * <li>P2 a node that joins takes keys, a node that leaves gives keys; no key moves between two other nodes;
 * <li>P3 a set of splits that is placed whole is placed alike in whatever order it is handed over.
 * </ul>
 */
@NullMarked
package io.eyrie.affinity.placement;

import org.jspecify.annotations.NullMarked;
