// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.plugin;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class EngineVersionTest
{
    @ParameterizedTest
    @ValueSource(strings = {"0.296", "0.296-4a1b2c3"})
    void testedRelease(String version)
    {
        assertThat(EngineVersion.warning(version)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.297", "0.29", "0.2960", "unknown"})
    void otherRelease(String version)
    {
        assertThat(EngineVersion.warning(version)).hasValueSatisfying(warning -> assertThat(warning).contains("Presto " + version, "0.296",
                "it is untested whether"));
    }

    @Test
    void emptyVersion()
    {
        assertThat(EngineVersion.warning("")).isPresent();
    }
}
