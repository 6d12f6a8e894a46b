// SPDX-License-Identifier: Apache-2.0
/**
 * Defines what a benchmark is: a {@code Benchmark} answers one question with results that name their peer. Contains the benchmarks that measure
 * clusters, plans and placement; {@code footer}, {@code micro} and {@code replay} contain the others.
 */
@NullMarked
package io.eyrie.benchmarks.bench;

import org.jspecify.annotations.NullMarked;
