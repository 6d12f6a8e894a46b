/**
 * A client for a real Presto coordinator: results, their comparison, and the statistics of a query.
 * Called by tests, the demo and the benchmarks.
 */
@NullMarked
package io.eyrie.testing.client;

import org.jspecify.annotations.NullMarked;
