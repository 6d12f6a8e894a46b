/**
 * The benchmarks behind {@code bin/bench}. A {@code Benchmark} answers one question with results that name their peer; the command lists them,
 * runs one and writes the results.
 */
@NullMarked
package io.eyrie.benchmarks.bench;

import org.jspecify.annotations.NullMarked;
