// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.bench;

import io.eyrie.testing.lake.Checkout;

import java.util.List;
import java.util.function.Consumer;

/** Answers one question with results against named peers, all measured in one run on one machine. */
public interface Benchmark
{
    /** Returns the name on the command line. */
    String name();

    /** Returns, in one line, the quantities that are measured and the peers. */
    String question();

    /** Returns the number of repeats, for a document or for a quick look. */
    int repeats(boolean quick);

    /** Measures {@code repeats} times, Eyrie and the peers in turn. Ends all processes that it starts, even if it fails. */
    List<BenchResult> run(Checkout checkout, int repeats, Consumer<String> progress);
}
