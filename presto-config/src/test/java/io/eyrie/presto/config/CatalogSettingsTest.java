// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.config;

import com.google.common.collect.Maps;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

class CatalogSettingsTest
{
    @Test
    void misspelledSettingBearsOnResults()
            throws IOException
    {
        try (InputStream in = requireNonNull(CatalogSettings.class.getResourceAsStream("/io/eyrie/presto/check/presto-hive-properties.txt"))) {
            Set<String> names = new String(in.readAllBytes(), UTF_8).lines().collect(Collectors.toSet());
            assertThat(names).containsAll(CatalogSettings.WITHOUT_BEARING);
            Map<String, String> bearing = new CatalogSettings(Maps.asMap(names, name -> "x"), Map.of()).bearingOnResults();
            assertThat(bearing).doesNotContainKeys(CatalogSettings.WITHOUT_BEARING.toArray(String[]::new))
                    .containsKeys("hive.time-zone", "hive.hdfs.impersonation.enabled", "hive.gcs.use-access-token", "hive.s3.endpoint");
        }
    }

    @Test
    void misspelledSettingSelectsNoMetadata()
            throws IOException
    {
        try (InputStream in = requireNonNull(CatalogSettings.class.getResourceAsStream("/io/eyrie/presto/check/presto-hive-properties.txt"))) {
            Set<String> names = new String(in.readAllBytes(), UTF_8).lines().collect(Collectors.toSet());
            assertThat(new CatalogSettings(Maps.asMap(names, name -> "x"), Map.of()).selectingMetadata()).containsOnlyKeys("hive.metastore",
                    "hive.metastore-recording-path", "hive.metastore.catalog.dir", "hive.metastore.catalog.name", "hive.metastore.client.principal",
                    "hive.metastore.username", "hive.replay-metastore-recording");
        }
    }
}
