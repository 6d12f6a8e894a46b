// SPDX-License-Identifier: Apache-2.0
/**
 * Decides which node should read and cache which part of which file: it takes keys, nodes and weights, and returns an ordered list of candidates. It does not
 * depend on an engine; an engine's adapter has one {@link io.eyrie.affinity.placement.Members}, and creates one
 * {@link io.eyrie.affinity.placement.QueryPlacement} for the splits of one query. {@link io.eyrie.affinity.placement.BucketPlacement} assigns the buckets of
 * tables, of which a few more move than those of a node that leaves.
 *
 * <p>Invariants:
 * <ul>
 * <li>P1 the order of candidates of a key depends only on the key, the nodes' identifiers and their weights; it is the same in every process, and in every
 * release that preserves the values recorded in the tests of {@code io.eyrie.cache.rendezvous};
 * <li>P2 a node that joins takes keys, a node that leaves gives keys; no key moves between two other nodes;
 * <li>P3 the placement of a set of splits that is placed whole does not depend on their order.
 * </ul>
 */
@NullMarked
package io.eyrie.affinity.placement;

import org.jspecify.annotations.NullMarked;
