// SPDX-License-Identifier: Apache-2.0
/** Many clients at a time: {@code bin/bench throughput}. */
@NullMarked
package io.eyrie.benchmarks.throughput;

import org.jspecify.annotations.NullMarked;
