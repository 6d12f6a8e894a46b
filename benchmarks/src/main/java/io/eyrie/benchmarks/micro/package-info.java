// SPDX-License-Identifier: Apache-2.0
/**
 * Benchmarks of the page cache on one machine, without Presto: Eyrie's engine, Alluxio's client cache and plain files behind one interface.
 * {@code bin/bench} runs them. They open caches by {@code CacheVariant} and use them only as {@code PageCache} and {@code CachedFile}.
 *
 * <p>Invariants: all variants of a run serve the same bytes, which are checked when the caches are filled; they are measured in turn, so that a
 * temporary disturbance of the machine affects all of them.
 */
@NullMarked
package io.eyrie.benchmarks.micro;

import org.jspecify.annotations.NullMarked;
