// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import io.eyrie.fragment.result.FragmentLimits;
import io.eyrie.presto.config.CatalogFile;
import io.eyrie.presto.config.FragmentConfig;
import io.eyrie.presto.memory.MemoryLayer;
import io.eyrie.presto.memory.MemoryPlan;
import org.junit.jupiter.api.Test;

import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

class FragmentPartsTest
{
    private static final CatalogFile CATALOG = new CatalogFile("hive", Map.of("cache.enabled", "true", "fragment-result-cache.enabled", "true"));

    @Test
    void defaultsAreTheLayers()
    {
        assertThat(FragmentParts.limits(new FragmentConfig(), MemoryPlan.of(CATALOG, 16L << 30), 64 << 20)).isEqualTo(FragmentLimits.DEFAULT);
    }

    @Test
    void scaledRecordingsBoundResults()
    {
        MemoryPlan plan = MemoryPlan.of(CATALOG, 512L << 20);
        FragmentLimits limits = FragmentParts.limits(new FragmentConfig(), plan, 64 << 20);

        assertThat(limits.maxInFlightBytes()).isEqualTo(plan.bytes(MemoryLayer.FRAGMENT_RECORDINGS)).isLessThan(32 << 20);
        assertThat(limits.maxResultBytes()).isEqualTo((int) limits.maxInFlightBytes());
        assertThat(FragmentParts.limits(new FragmentConfig(), plan, 1 << 20).maxResultBytes()).isEqualTo(1 << 20);
        assertThat(limits.maxMemoryBytes()).isEqualTo(plan.bytes(MemoryLayer.FRAGMENT_RESULTS)).isLessThan(64 << 20);
    }
}
