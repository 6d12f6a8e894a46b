// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.report;

import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class IntervalTest
{
    @Test
    void equalRepeatsLeaveNoDoubt()
    {
        Interval interval = Interval.ofRatio(List.of(2.0, 2.0, 2.0), List.of(3.0, 3.0, 3.0));
        assertThat(interval.low()).isEqualTo(1.5);
        assertThat(interval.high()).isEqualTo(1.5);
    }

    @Test
    void scatteredRepeatsGiveAnIntervalAroundTheRatioAndTheSameOneAgain()
    {
        List<Double> ours = List.of(1.0, 1.1, 0.9, 1.2, 0.8, 1.05, 0.95);
        List<Double> peer = List.of(2.0, 2.2, 1.8, 2.4, 1.6, 2.1, 1.9);
        Interval interval = Interval.ofRatio(ours, peer);
        assertThat(interval.low()).isBetween(1.6, 1.95);
        assertThat(interval.high()).isBetween(2.05, 2.5);
        assertThat(Interval.ofRatio(ours, peer)).isEqualTo(interval);
        assertThat(Interval.ofRatio(peer, ours).low()).isCloseTo(1 / interval.high(), within(0.1));
    }
}
