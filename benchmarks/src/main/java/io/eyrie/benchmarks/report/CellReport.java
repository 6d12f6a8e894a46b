package io.eyrie.benchmarks.report;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.eyrie.benchmarks.bench.BenchReport;

import java.util.List;

import static java.util.Objects.requireNonNull;

/**
 * A cell that was measured; its JSON is this record.
 *
 * @param cell the part of the experiment, whose name {@code report} has
 * @param started the time in UTC, {@code minutes} how long it took
 * @param notes what the figures do not say
 * @param samples every value that was measured
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
