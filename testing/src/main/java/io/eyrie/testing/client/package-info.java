// SPDX-License-Identifier: Apache-2.0
/** A client of a real Presto coordinator: results, their comparison, and the statistics of a query. Tests, the demo and the benchmarks use it. */
@NullMarked
package io.eyrie.testing.client;

import org.jspecify.annotations.NullMarked;
