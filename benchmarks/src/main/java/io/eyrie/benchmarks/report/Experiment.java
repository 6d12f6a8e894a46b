package io.eyrie.benchmarks.report;

import io.eyrie.testing.lake.Checkout;

import java.util.List;
import java.util.function.Consumer;

/** One of the field's experiments, at our scale. */
interface Experiment
{
    /** The word to call it by. */
    String name();

    /** Where it comes from, what it does, and what is measured, in a few sentences. */
    String question();

    /** Its parts, each measured in one run. */
    List<String> cells(boolean quick);

    /** How often a cell is measured, for a document or for a quick look. */
    int repeats(boolean quick);

    /** Measures one cell into the findings. Ends all processes that it starts, whatever happens. */
    void measure(String cell, Setup setup, Findings findings);

    /** What a cell is measured with. */
    record Setup(Checkout checkout, boolean quick, int repeats, Consumer<String> progress)
    {}
}
