// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.soak;

import io.eyrie.testing.lake.Checkout;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/** Runs the soak for the shortest useful time. For longer runs, use {@code bin/bench soak}. */
@Timeout(value = 20, unit = TimeUnit.MINUTES)
@Tag("long")
class SoakIT
{
    private static final long SEED = 20261122;
    private static final double MINUTES = 3;

    @Test
    void threeMinutesOfReadersWritersAndFaults()
            throws IOException
    {
        try (Soak soak = Soak.start(Checkout.find(), SEED, message -> {})) {
            SoakReport report = soak.run(MINUTES);
            assertThat(report.complaints()).isEmpty();
            assertThat(report.faults()).containsOnlyKeys(Fault.values());
            assertThat(report.queries()).isGreaterThan(100);
            assertThat(report.changes().values().stream().mapToLong(Long::longValue).sum()).isGreaterThan(20);
            assertThat(report.cancelled()).as("of the hundred victims, some of whom find their table dropped").isGreaterThan(60);
            assertThat(report.hitRatio()).isPositive();
            assertThat(report.pages()).isPositive();
        }
    }
}
