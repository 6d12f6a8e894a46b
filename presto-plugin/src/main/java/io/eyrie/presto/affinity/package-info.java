// SPDX-License-Identifier: Apache-2.0
/**
 * Connects affinity scheduling to Presto: assigns to the splits of a scan, and to buckets, the nodes that {@code io.eyrie.affinity.placement} chose, and
 * decides on each worker whether it caches the data of a split. Called by the engine and by the connector's modules.
 *
 * <p>Invariants: every split of the connector is an {@link io.eyrie.presto.handle.EyrieSplit}, because a connector has one split class; a
 * placed split names only nodes that were active when the scan began; splits that the engine sends to the worker of their bucket, and those of strategies
 * other than {@code SOFT_AFFINITY}, are the same as in Presto; only the engine sees a split that carries others, never the code that opens splits.
 */
@NullMarked
package io.eyrie.presto.affinity;

import org.jspecify.annotations.NullMarked;
