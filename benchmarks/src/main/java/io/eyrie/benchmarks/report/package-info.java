// SPDX-License-Identifier: Apache-2.0
/**
 * Measures the field's experiments cell by cell and combines them into one report: {@code bin/bench report}. An {@code Experiment} has cells. Each
 * cell is measured in one run on one machine and stored in a file, so that an interrupted report can continue.
 */
@NullMarked
package io.eyrie.benchmarks.report;

import org.jspecify.annotations.NullMarked;
