// SPDX-License-Identifier: Apache-2.0
/** Computes the hit ratio that a cache would reach on a trace. Uses the simulation of {@code cache-core}; starts no processes. */
@NullMarked
package io.eyrie.benchmarks.replay;

import org.jspecify.annotations.NullMarked;
