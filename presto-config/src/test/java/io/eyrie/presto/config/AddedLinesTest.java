// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.config;

import io.eyrie.presto.config.AddedLine.Source;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import static org.assertj.core.api.Assertions.assertThat;

class AddedLinesTest
{
    private static final long GIGABYTE = 1 << 30;
    private static final Machine SMALL = new Machine(2, true, directories -> List.of(20 * GIGABYTE));
    private static final Machine LARGE = new Machine(64, false, directories -> directories.stream().map(directory -> 2048 * GIGABYTE).toList());

    @Test
    void smallCoordinator()
    {
        assertThat(added(Map.of("cache.enabled", "true", "cache.base-directory", "file:///mnt/flash"), SMALL)).containsOnly(
                Map.entry("fragment-result-cache.enabled", "true"),
                Map.entry("hive.metastore-cache-ttl", "2d"),
                Map.entry("hive.metastore-cache-maximum-size", "1000000"),
                Map.entry("cache.control-directory", "/mnt/flash/control"),
                Map.entry("cache.metadata.directory", "/mnt/flash/metadata"),
                Map.entry("cache.max-cache-size", "16GB"),
                Map.entry("cache.min-free-space", "1GB"),
                Map.entry("cache.index-memory", "256MB"),
                Map.entry("cache.write-buffer", "128MB"),
                Map.entry("cache.fetch-memory", "256MB"),
                Map.entry("fragment-result-cache.max-in-flight-size", "256MB"));
    }

    @Test
    void largeWorker()
    {
        assertThat(added(Map.of("cache.enabled", "true", "cache.base-directory", "/mnt/a,/mnt/b,/mnt/c,/mnt/d"), LARGE))
                .containsEntry("cache.max-cache-size", "6553GB")
                .containsEntry("cache.min-free-space", "20GB")
                .containsEntry("cache.index-memory", "4915MB")
                .containsEntry("cache.write-buffer", "256MB")
                .containsEntry("cache.fetch-memory", "512MB")
                .containsEntry("fragment-result-cache.max-in-flight-size", "512MB")
                .doesNotContainKey("cache.control-directory");
    }

    @Test
    void linesOfTheFileTakePrecedence()
    {
        Map<String, String> all = new HashMap<>(Map.of("cache.enabled", "true", "cache.base-directory", "/d"));
        Map<String, String> own = Map.of(
                "fragment-result-cache.enabled", "false",
                "hive.metastore-cache-ttl", "0s",
                "cache.control-directory", "/c",
                "cache.metadata.directory", "/m",
                "cache.max-cache-size", "3GB",
                "cache.min-free-space", "0B",
                "cache.index-memory", "1MB",
                "cache.write-buffer", "8MB",
                "cache.fetch-memory", "8MB",
                "fragment-result-cache.max-in-flight-size", "32MB");
        all.putAll(own);
        assertThat(added(all, SMALL)).isEmpty();
        assertThat(AddedLines.complete(new CatalogFile("hive", all), SMALL).properties()).isEqualTo(all);
    }

    @Test
    void indexFollowsTheCapacityOfTheFileUnderEitherName()
    {
        for (String name : List.of("cache.max-cache-size", "cache.alluxio.max-cache-size")) {
            assertThat(added(Map.of("cache.enabled", "true", "cache.base-directory", "/d", name, "1600GB"), SMALL))
                    .doesNotContainKeys("cache.max-cache-size", "cache.alluxio.max-cache-size").containsEntry("cache.index-memory", "1200MB");
        }
    }

    @Test
    void nothingWithTheCacheOff()
    {
        assertThat(added(Map.of("cache.base-directory", "/d"), SMALL)).isEmpty();
        assertThat(added(Map.of("cache.enabled", "false", "cache.base-directory", "/d"), SMALL)).isEmpty();
    }

    @Test
    void linesOfTheGuideKeepTheirMeaning()
            throws IOException
    {
        assertThat(added(Guide.lines(), SMALL)).doesNotContainKeys(Guide.lines().keySet().toArray(String[]::new))
                .containsOnlyKeys("cache.control-directory", "cache.metadata.directory", "cache.min-free-space", "cache.index-memory",
                        "cache.write-buffer", "cache.fetch-memory",
                        "fragment-result-cache.max-in-flight-size");
    }

    /* A user of whom the metastore checks the rights must not be served what another call of that user was allowed to see. */
    @ParameterizedTest
    @CsvSource({
            "hive.metastore-impersonation-enabled, true",
            "hive.metastore, alluxio",
            "hive.metastore-cache-maximum-size, 0",
            "cache.metastore.max-retained-size, 0B"})
    void metadataIsNotCached(String property, String value)
    {
        assertThat(added(Map.of("cache.enabled", "true", "cache.base-directory", "/d", property, value), SMALL))
                .doesNotContainKeys("hive.metastore-cache-ttl", "hive.metastore-cache-maximum-size")
                .containsEntry("fragment-result-cache.enabled", "true");
    }

    @Test
    void impersonatingMetastoreIsCachedIfTheFileSaysSo()
    {
        assertThat(added(Map.of("cache.enabled", "true", "cache.base-directory", "/d", "hive.metastore-impersonation-enabled", "true",
                "hive.metastore-cache-ttl", "1h"), SMALL)).doesNotContainKey("hive.metastore-cache-ttl").containsKey(
                        "hive.metastore-cache-maximum-size");
    }

    @Test
    void alluxiosClientGetsNoResultsAndNoSizes()
    {
        assertThat(added(Map.of("cache.enabled", "true", "cache.base-directory", "/d", "cache.type", "alluxio_client"), SMALL))
                .containsOnlyKeys("hive.metastore-cache-ttl", "hive.metastore-cache-maximum-size", "cache.control-directory",
                        "cache.metadata.directory");
    }

    @Test
    void changesAreNotStoredInPlaintextBelowAnEncryptedDirectory()
    {
        for (String key : List.of("cache.encryption-key-file", "cache.encryption-key-variable")) {
            assertThat(added(Map.of("cache.enabled", "true", "cache.base-directory", "/d", key, "/key"), SMALL)).doesNotContainKey(
                    "cache.control-directory").containsEntry("fragment-result-cache.enabled", "true");
        }
    }

    @Test
    void brokenFileIsNoReasonToFail()
    {
        Machine unknown = new Machine(2, true, directories -> List.of());
        assertThat(added(Map.of("cache.enabled", "true", "cache.base-directory", "s3://bucket", "cache.max-cache-size", "lots"), unknown))
                .doesNotContainKeys("cache.control-directory", "cache.max-cache-size").containsEntry("cache.index-memory", "256MB");
        assertThat(added(Map.of("cache.enabled", "true", "cache.base-directory", "/gone"), unknown)).doesNotContainKey("cache.max-cache-size");
    }

    @Test
    void volumesOfThisMachine(@TempDir Path directory)
            throws IOException
    {
        Path a = Files.createDirectory(directory.resolve("a"));
        Path b = Files.createDirectory(directory.resolve("b"));
        Machine machine = Machine.current(false);
        assertThat(machine.volumes().apply(List.of(a, b))).as("one volume").containsExactly(Files.getFileStore(a).getTotalSpace());
        assertThat(machine.volumes().apply(List.of(directory.resolve("missing")))).isEmpty();
        assertThat(AddedLines.of(new CatalogFile("hive", Map.of("cache.enabled", "true", "cache.base-directory", a + "," + b)), machine))
                .filteredOn(line -> line.property().equals("cache.max-cache-size"))
                .singleElement()
                .satisfies(line -> assertThat(line.source()).isEqualTo(Source.DERIVED))
                .satisfies(line -> assertThat(line.reason()).contains("80 percent of ", "the size of the volume"));
    }

    @Test
    void sizesOfFileSystemsWithoutABound()
    {
        Machine endless = new Machine(2, false, directories -> List.of(Long.MAX_VALUE, Long.MAX_VALUE));
        assertThat(added(Map.of("cache.enabled", "true", "cache.base-directory", "/a,/b"), endless))
                .containsEntry("cache.max-cache-size", "6871947673GB")
                .containsEntry("cache.min-free-space", "20GB");
    }

    private static Map<String, String> added(Map<String, String> lines, Machine machine)
    {
        return AddedLines.of(new CatalogFile("hive", lines), machine).stream().collect(Collectors.toMap(AddedLine::property, AddedLine::value));
    }
}
