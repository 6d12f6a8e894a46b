// SPDX-License-Identifier: Apache-2.0
/** The command {@code bin/bench}: lists all benchmarks, runs one and writes its results. It depends on the packages of the benchmarks; no package depends on it. */
@NullMarked
package io.eyrie.benchmarks.command;

import org.jspecify.annotations.NullMarked;
