package io.eyrie.benchmarks.bench;

import io.eyrie.testing.lake.Checkout;

import java.util.List;
import java.util.function.Consumer;

/** Answers one question with results against named peers, all measured in one run on one machine. */
public interface Benchmark
{
    /** The word to call it by. */
    String name();

    /** What is measured against what, in a line. */
    String question();

    /** How often is measured, for a document or for a quick look. */
    int repeats(boolean quick);

    /** Measures that often, ours and the peers in turn. Ends all processes that it starts, whatever happens. */
    List<BenchResult> run(Checkout checkout, int repeats, Consumer<String> progress);
}
