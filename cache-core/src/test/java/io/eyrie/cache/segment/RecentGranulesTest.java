// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class RecentGranulesTest
{
    private static final int ROUND = 128;

    private final RecentGranules recent = new RecentGranules();

    @Test
    void whatIsReadAllTheTimeIsNeverForgottenAndTheRestIs()
    {
        recent.add(1, 0b11);
        recent.add(2, 0b1);
        assertThat(recent.has(1, 0b10)).isTrue();
        assertThat(recent.has(1, 0b100)).isFalse();
        assertThat(recent.has(3, 0b1)).isFalse();
        for (int tick = 0; tick < 3 * ROUND; tick++) {
            recent.forgetSome();
            assertThat(recent.has(1, 0b11)).as("tick %s", tick).isTrue();
        }
        assertThat(recent.has(2, 0b1)).isFalse();
        recent.forgetAll();
        assertThat(recent.has(1, 0b1)).isFalse();
    }

    @Test
    void granulesAddUpAndAnotherUnitTakesThePlace()
    {
        recent.add(1, 0b1);
        recent.add(1, 0b10);
        assertThat(recent.has(1, 0b11)).isTrue();
        int other = 2;
        while (recent.has(1, 0b11)) {
            recent.add(other, 0b100);
            other++;
        }
        assertThat(recent.has(other - 1, 0b100)).isTrue();
        assertThat(recent.has(other - 1, 0b101)).isFalse();
    }
}
