/**
 * Affinity in Presto: gives the splits of a scan the nodes that {@code io.eyrie.affinity.placement} chose for them, and tells the worker whether it
 * is one of those that keep what they read. The engine and the connector's modules call in here.
 *
 * <p>Invariants: every split of the connector is an {@link io.eyrie.presto.affinity.AffinityHiveSplit}, since a connector has one class of splits; what is
 * placed names nodes that were active when the scan began and no others; splits of bucketed scans and of strategies other than {@code SOFT_AFFINITY} are as Presto
 * made them; a split that carries others is seen by the engine alone, never by what opens splits.
 */
@NullMarked
package io.eyrie.presto.affinity;

import org.jspecify.annotations.NullMarked;
