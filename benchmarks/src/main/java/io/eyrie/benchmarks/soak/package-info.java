// SPDX-License-Identifier: Apache-2.0
/**
 * {@code bin/bench soak}: a cluster under readers and writers while faults are injected. Every answer is compared with the truth, and leaks are
 * measured. {@code bin/bench} and its integration test run it.
 */
@NullMarked
package io.eyrie.benchmarks.soak;

import org.jspecify.annotations.NullMarked;
