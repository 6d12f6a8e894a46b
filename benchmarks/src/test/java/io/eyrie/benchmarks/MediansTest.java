// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks;

import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class MediansTest
{
    @Test
    void middleOfUnsortedValues()
    {
        assertThat(Medians.median(List.of(9.0, 1.0, 2.0))).isEqualTo(2.0);
        assertThat(Medians.median(List.of(9.0, 1.0, 2.0, 4.0))).isEqualTo(3.0);
        assertThat(Medians.median(List.of(7.0))).isEqualTo(7.0);
    }

    @Test
    void noValues()
    {
        assertThatIllegalArgumentException().isThrownBy(() -> Medians.median(List.of()));
    }
}
