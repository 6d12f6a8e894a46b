// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class BackOffTest
{
    private long now = 1_000_000;
    private final BackOff backOff = new BackOff(() -> now, 10_000);

    /** Returns how long the back-off waits from now. */
    private long waits()
    {
        long start = now;
        while (!backOff.mayReplay()) {
            now += 100;
        }
        return now - start;
    }

    private void replay(long millis)
    {
        backOff.begins();
        now += millis;
    }

    @Test
    void cheapFailuresAreRepeatedAtOnce()
    {
        for (int i = 0; i < 100; i++) {
            replay(4_900);
            backOff.failed();
            assertThat(backOff.mayReplay()).isTrue();
        }
    }

    @Test
    void waitDoublesUpToTenMinutes()
    {
        for (long expected : new long[] {16_000, 32_000, 64_000, 128_000, 256_000, 512_000, 600_000, 600_000, 600_000, 600_000,
                600_000}) {
            replay(8_000);
            backOff.failed();
            assertThat(waits()).isEqualTo(expected);
        }
    }

    @Test
    void directoryThatFailsSoonAfterItsReplayWaitsToo()
    {
        for (long expected : new long[] {16_000, 32_000, 64_000}) {
            replay(8_000);
            backOff.succeeded();
            now += 1_000;
            backOff.failedWhileServing();
            assertThat(waits()).isEqualTo(expected);
        }
        replay(8_000);
        backOff.succeeded();
        now += 600_000;
        backOff.failedWhileServing();
        assertThat(waits()).isZero();
        replay(8_000);
        backOff.failed();
        assertThat(waits()).isEqualTo(16_000);
    }
}
