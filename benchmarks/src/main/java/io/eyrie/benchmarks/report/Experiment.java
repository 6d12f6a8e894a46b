// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.report;

import io.eyrie.testing.lake.Checkout;

import java.util.List;
import java.util.function.Consumer;

/** An experiment from the field's publications, at a scale that fits one machine. */
interface Experiment
{
    /** Returns the name on the command line. */
    String name();

    /** Returns, in a few sentences, the origin of the experiment, its steps, and the quantities that it measures. */
    String question();

    /** Returns its parts, each measured in one run. */
    List<String> cells(boolean quick);

    /** Returns how many times a cell is measured, for a document or for a quick look. */
    int repeats(boolean quick);

    /** Measures one cell and adds the values to the findings. Ends all processes that it starts, even if it fails. */
    void measure(String cell, Setup setup, Findings findings);

    /** The environment and parameters of a measurement. */
    record Setup(Checkout checkout, boolean quick, int repeats, Consumer<String> progress)
    {}
}
