// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.report;

import io.eyrie.benchmarks.bench.BenchResult;
import io.eyrie.benchmarks.bench.MetadataBenchmark;

import java.util.List;
import java.util.Locale;

/** RaptorX's metastore cache: {@code bin/bench metadata}, with one cell for each database of the metastore. */
final class MetadataExperiment
        implements Experiment
{
    private static final List<Integer> PARTITIONS = List.of(1000, 10_000);
    private static final int KEPT_PARTITIONS = 1_000_000;
    private static final int QUICK_KEPT_PARTITIONS = 100_000;

    @Override
    public String name()
    {
        return "metadata";
    }

    @Override
    public String question()
    {
        return "RaptorX: planning a query over 1,000 and 10,000 partitions on a real Hive Metastore: cold, warm, and after another client altered one partition, which the next plan must see. "
                + "none: no cache; ttl-cache: Presto's own, which sees no change.";
    }

    @Override
    public List<String> cells(boolean quick)
    {
        return quick ? List.of("derby") : List.of("derby", "mariadb");
    }

    @Override
    public int repeats(boolean quick)
    {
        return quick ? 1 : 5;
    }

    @Override
    public void measure(String cell, Setup setup, Findings findings)
    {
        MetadataBenchmark benchmark = new MetadataBenchmark(
                List.of(cell.toUpperCase(Locale.ROOT)),
                setup.quick() ? PARTITIONS.subList(0, 1) : PARTITIONS,
                setup.quick() ? QUICK_KEPT_PARTITIONS : KEPT_PARTITIONS);
        for (BenchResult result : benchmark.run(setup.checkout(), setup.repeats(), setup.progress())) {
            findings.add(result);
        }
    }
}
