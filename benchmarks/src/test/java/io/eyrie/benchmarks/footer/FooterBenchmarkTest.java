// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.footer;

import io.eyrie.benchmarks.bench.BenchResult;
import io.eyrie.testing.lake.Checkout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class FooterBenchmarkTest
{
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path root;

    @Test
    void everyFormatAndPeerOnceAndNothingFetchedAfterARestart()
    {
        List<String> progress = new ArrayList<>();
        List<BenchResult> results = new FooterBenchmark(new FooterBenchmark.Size(20, 3, 10, 0, 1)).run(new Checkout(root), 1, progress::add);

        assertThat(results).extracting(result -> result.name() + " " + result.metric() + " " + result.unit() + " " + result.peerName() + " " + result
                .bar()).containsExactly(
                        "orc-warm wall s stock 1.0", "orc-warm wall s none 3.0", "orc-restart wall s stock 5.0", "orc-restart wall s none null",
                        "orc-warm cpu s stock 1.0", "orc-warm cpu s none 3.0", "orc-restart cpu s stock null", "orc-restart cpu s none null",
                        "parquet-warm wall s stock 1.0", "parquet-warm wall s none 3.0", "parquet-restart wall s stock 5.0",
                        "parquet-restart wall s none null",
                        "parquet-warm cpu s stock 1.0", "parquet-warm cpu s none 3.0", "parquet-restart cpu s stock null",
                        "parquet-restart cpu s none null");
        assertThat(results).allSatisfy(result -> assertThat(Math.min(result.ours(), result.peer())).isPositive());
        assertThat(progress).filteredOn(line -> line.contains("restarted")).containsExactly(
                "orc, restarted: 0 requests",
                "parquet, restarted: 0 requests");
        assertThat(root.resolve("benchmarks/target/bench/footer")).doesNotExist();
    }
}
