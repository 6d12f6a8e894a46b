// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.presto;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;

import static org.assertj.core.api.Assertions.assertThat;

final class CoordinatorProbeTest
{
    @ParameterizedTest
    @CsvSource({"250.00ms, 250", "3.50s, 3500", "1.50m, 90000", "2.00h, 7200000", "1.00d, 86400000"})
    void ageAsAirliftWritesIt(String text, long millis)
    {
        assertThat(CoordinatorProbe.age(text)).isEqualTo(Duration.ofMillis(millis));
    }
}
