// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.report;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.eyrie.benchmarks.bench.BenchReport;

import java.util.List;

import static java.util.Objects.requireNonNull;

/**
 * The report of a measured cell. Its JSON has the same structure.
 *
 * @param cell the part of the experiment that {@code report} names
 * @param started the time in UTC; {@code minutes} is the duration
 * @param notes facts that the figures do not show
 * @param samples all measured values
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
record CellReport(String cell, String started, double minutes, List<String> notes, List<Samples> samples, BenchReport report)
{
    CellReport
    {
        requireNonNull(cell, "cell is null");
        requireNonNull(started, "started is null");
        requireNonNull(report, "report is null");
        notes = List.copyOf(notes);
        samples = List.copyOf(samples);
    }

    boolean isOf(String experiment, String otherCell)
    {
        return report.benchmark().equals(experiment) && cell.equals(otherCell);
    }
}
