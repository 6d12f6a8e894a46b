/**
 * {@code bin/bench soak}: a cluster under readers and writers while faults are injected; every answer is compared with the truth, and what leaks is measured. Called by
 * {@code bin/bench} and its integration test.
 */
@NullMarked
package io.eyrie.benchmarks.soak;

import org.jspecify.annotations.NullMarked;
