// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.config;

import com.google.common.collect.Maps;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
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
            LayerProperties.all().forEach(property -> names.add(property.name()));
            assertThat(names).containsAll(CatalogSettings.WITHOUT_BEARING);
            Map<String, String> bearing = new CatalogSettings(Maps.asMap(names, name -> "x"), Map.of()).bearingOnResults();
            assertThat(bearing).doesNotContainKeys(CatalogSettings.WITHOUT_BEARING.toArray(String[]::new))
                    .doesNotContainKeys("hive.metastore.uri", "hive.metastore-timeout", "hive.metastore-cache-ttl", "hive.max-outstanding-splits",
                            "hive.file-status-cache-expire-time", "hive.affinity-scheduling-grace-period", "hive.orc.file-tail-cache-size",
                            "hive.max-concurrent-file-renames")
                    .containsKeys("hive.time-zone", "hive.hdfs.impersonation.enabled", "hive.gcs.use-access-token", "hive.s3.endpoint",
                            "hive.config.resources", "hive.dfs.verify-checksum", "hive.domain-compaction-threshold", "hive.orc.use-column-names",
                            "hive.orc.expected-file-tail-size", "hive.recursive-directories", "hive.s3.encryption-materials-provider",
                            "hive.s3.skip-glacier-objects", "hive.text.max-line-length", "hive.zstd-jni-decompression-enabled");
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

    @Test
    void footersOfACatalogWithAnotherName()
    {
        Map<String, String> file = Map.of("hive.orc.file-tail-cache-size", "1GB", "lake.parquet.metadata-cache-enabled", "false",
                "hive.orc.use-column-names",
                "true");
        assertThat(new CatalogProperties("lake", file).settings(new Machine(2, false, directories -> List.of())).bearingOnResults()).containsOnlyKeys(
                "hive.orc.use-column-names");
    }
}
