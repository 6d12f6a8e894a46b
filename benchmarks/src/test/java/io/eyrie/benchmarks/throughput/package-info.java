// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.eyrie.benchmarks.throughput;

import org.jspecify.annotations.NullMarked;
