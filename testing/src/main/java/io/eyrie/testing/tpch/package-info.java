// SPDX-License-Identifier: Apache-2.0
/** The queries and tables of TPC-H, for the data of Presto's {@code tpch} connector. Tests, the demo and the benchmarks use them. */
@NullMarked
package io.eyrie.testing.tpch;

import org.jspecify.annotations.NullMarked;
