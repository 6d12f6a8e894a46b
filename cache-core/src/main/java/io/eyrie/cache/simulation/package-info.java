// SPDX-License-Identifier: Apache-2.0
/**
 * Simulates caches over traces: the accesses of a trace, Eyrie's eviction policies, Belady's optimum, and synthetic traces. For tools and
 * benchmarks; no read of a cache uses it. Does no I/O.
 */
@NullMarked
package io.eyrie.cache.simulation;

import org.jspecify.annotations.NullMarked;
