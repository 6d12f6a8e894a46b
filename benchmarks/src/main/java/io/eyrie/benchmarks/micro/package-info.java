/**
 * Benchmarks of the page cache alone, on one machine, without Presto: Eyrie's engine, Alluxio's client cache and plain files behind one interface.
 * Called by {@code bin/bench}. They open caches by {@code Variant} and see them as {@code PageCache} and {@code CachedFile} only.
 *
 * <p>Invariants: all variants of a run serve the same bytes, checked when they are filled; they are measured in turn, so that what disturbs the
 * machine for a while disturbs all.
 */
@NullMarked
package io.eyrie.benchmarks.micro;

import org.jspecify.annotations.NullMarked;
