/**
 * The queries and tables of TPC-H, as Presto's {@code tpch} connector makes the data. Called by tests, the demo and the benchmarks.
 */
@NullMarked
package io.eyrie.testing.tpch;

import org.jspecify.annotations.NullMarked;
