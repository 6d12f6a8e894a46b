// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.config;

import io.eyrie.cache.config.ConfigException;
import io.eyrie.presto.config.LayerProperties.LayerProperty;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class CatalogPropertiesTest
{
    @ParameterizedTest
    @ValueSource(strings = {"hive", "lake"})
    void everyLineOfTheGuide(String catalog)
            throws IOException
    {
        CatalogProperties properties = new CatalogProperties(catalog, Guide.lines());

        assertThat(properties.forConnector()).containsOnly(
                Map.entry("hive.node-selection-strategy", "SOFT_AFFINITY"),
                Map.entry("cache.enabled", "true"),
                Map.entry("cache.base-directory", "file:///mnt/flash/data"),
                Map.entry("cache.type", "ALLUXIO"),
                Map.entry("cache.alluxio.max-cache-size", "1600GB"),
                Map.entry("hive.partition-versioning-enabled", "true"),
                Map.entry("hive.metastore-cache-scope", "PARTITION"),
                Map.entry("hive.metastore-cache-ttl", "2d"),
                Map.entry("hive.metastore-refresh-interval", "3d"),
                Map.entry("hive.metastore-cache-maximum-size", "10000000"),
                Map.entry("hive.file-status-cache-expire-time", "24h"),
                Map.entry("hive.file-status-cache-size", "100000000"),
                Map.entry("hive.file-status-cache-tables", "*"),
                Map.entry("fragment-result-cache.enabled", "true"),
                Map.entry("fragment-result-cache.max-cached-entries", "1000000"),
                Map.entry("fragment-result-cache.base-directory", "file:///mnt/flash/fragment"),
                Map.entry("fragment-result-cache.cache-ttl", "24h"),
                Map.entry(catalog + ".orc.file-tail-cache-enabled", "true"),
                Map.entry(catalog + ".orc.file-tail-cache-size", "100MB"),
                Map.entry(catalog + ".orc.file-tail-cache-ttl-since-last-access", "6h"),
                Map.entry(catalog + ".orc.stripe-metadata-cache-enabled", "true"),
                Map.entry(catalog + ".orc.stripe-footer-cache-size", "100MB"),
                Map.entry(catalog + ".orc.stripe-footer-cache-ttl-since-last-access", "6h"),
                Map.entry(catalog + ".orc.stripe-stream-cache-size", "300MB"),
                Map.entry(catalog + ".orc.stripe-stream-cache-ttl-since-last-access", "6h"),
                Map.entry(catalog + ".parquet.metadata-cache-enabled", "true"),
                Map.entry(catalog + ".parquet.metadata-cache-size", "100MB"),
                Map.entry(catalog + ".parquet.metadata-cache-ttl-since-last-access", "6h"));
        assertThat(properties.notices()).hasSize(1).allMatch(notice -> notice.startsWith("The metastore's statistics do not identify"));
        assertThat(String.join(" ", properties.notices())).contains(Guide.lines().keySet().stream()
                .filter(name -> !properties.forConnector().containsKey(name) && !properties.forConnector().containsKey(name.replace("hive.", catalog
                        + ".")))
                .toList());
    }

    @Test
    void catalogsNameAsPrefix()
    {
        CatalogProperties properties = new CatalogProperties("lake", Map.of("lake.orc.file-tail-cache-enabled", "true",
                "lake.parquet.metadata-cache-size", "1GB"));

        assertThat(properties.forConnector()).containsOnlyKeys("lake.orc.file-tail-cache-enabled", "lake.parquet.metadata-cache-size");
        assertThat(properties.notices()).isEmpty();
    }

    @Test
    void orcPropertiesThatAreNoCacheGetTheCatalogsPrefix()
    {
        CatalogProperties properties = new CatalogProperties("lake", Map.of("hive.orc.expected-file-tail-size", "16kB", "hive.orc.use-column-names",
                "true"));

        assertThat(properties.forConnector()).containsOnly(Map.entry("lake.orc.expected-file-tail-size", "16kB"), Map.entry(
                "hive.orc.use-column-names", "true"));
        assertThat(properties.notices()).isEmpty();
    }

    @Test
    void bothSpellingsThatDiffer()
    {
        Map<String, String> properties = Map.of("lake.orc.file-tail-cache-size", "1GB", "hive.orc.file-tail-cache-size", "2GB");

        assertThatThrownBy(() -> new CatalogProperties("lake", properties)).isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("lake.orc.file-tail-cache-size", "'1GB'", "hive.orc.file-tail-cache-size", "'2GB'", "To fix: keep one");
    }

    @Test
    void unknownPropertyIsLeftToTheConnectorToRefuse()
    {
        assertThat(new CatalogProperties("hive", Map.of("hive.no-such-property", "1")).forConnector()).containsKey("hive.no-such-property");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            cache.enabled                                        | yes          | true or false
            cache.base-directory                                 | s3://bucket  | file: URIs or absolute paths
            cache.base-directory                                 | /a,relative  | file: URIs or absolute paths
            cache.max-cache-size                                 | 1600         | a size with its unit
            cache.max-cache-size                                 | 100000PB     | a size with its unit
            cache.quotas                                         | a=100000PB   | catalog.schema
            cache.page-size                                      | big          | a size with its unit
            cache.eviction-policy                                | FIFO         | LRU or S3_FIFO
            cache.ttl                                            | 2            | a duration
            cache.admission.deny                                 | web.*        | catalog.schema.table
            cache.admission.daily-write-budget                   | lots         | a size with its unit
            cache.quotas                                         | hive.web     | catalog.schema
            cache.quotas                                         | a=1GB,a=2GB  | catalog.schema
            cache.quotas                                         | a.b.c.d=1GB  | catalog.schema
            cache.cache-quota-scope                              | CATALOG      | GLOBAL, SCHEMA, TABLE or PARTITION
            cache.previous-encryption-keys                       | c2VjcmV0     | file:PATH or env:NAME
            cache.encryption-key-file                            | key          | an absolute path
            hive.metastore-cache-ttl                             | soon         | a duration
            hive.metastore-cache-scope                           | SOME         | ALL or PARTITION
            hive.metastore-cache-maximum-size                    | -1           | a whole number from 0
            hive.partition-versioning-enabled                    | 1            | true or false
            hive.file-status-cache-tables                        | a.b.c        | schema.table
            hive.file-status-cache-size                          | 1GB          | a whole number from 0
            fragment-result-cache.base-directory                 | here         | a file: URI
            hive.partition-statistics-based-optimization-enabled | maybe        | true or false
            hive.orc.stripe-footer-cache-size                    | 100          | a size with its unit
            lake.parquet.metadata-cache-ttl-since-last-access    | 6            | a duration
            """)
    void badValueIsRefusedByNameValueRangeAndFix(String name, String value, String allowed)
    {
        assertThatThrownBy(() -> new CatalogProperties("lake", Map.of(name, value))).isInstanceOf(ConfigException.class)
                .hasMessageContainingAll(name + " is '" + value + "'", "it must be", allowed, "To fix: ");
    }

    @Test
    void valueFromTheEnvironmentIsCheckedWhereItIsFilledIn()
    {
        assertThat(new CatalogProperties("hive", Map.of("cache.max-cache-size", "${ENV:SIZE}")).forConnector()).containsEntry("cache.max-cache-size",
                "${ENV:SIZE}");
    }

    @Test
    void everyRowHasOneOfPrestosOrOurPrefixes()
    {
        assertThat(LayerProperties.all()).extracting(LayerProperty::name).allMatch(name -> name.matches(
                "(cache|hive|fragment-result-cache)[.][a-z.-]+"));
    }
}
