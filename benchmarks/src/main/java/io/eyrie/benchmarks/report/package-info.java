/**
 * The experiments of the field, measured cell by cell and put together into one report: {@code bin/bench report}. An {@code Experiment} has cells, each of them is
 * measured in one run on one machine and kept in a file, so that a report that was stopped goes on where it was.
 */
@NullMarked
package io.eyrie.benchmarks.report;

import org.jspecify.annotations.NullMarked;
