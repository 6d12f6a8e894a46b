// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration;

import io.eyrie.testing.lake.Checkout;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/** Checks what can be checked of the deployment's files without the images and charts of others. */
class DeployFilesIT
{
    private final Path deploy = Checkout.find().root().resolve("deploy");

    /* Helm ignores a value that the chart does not have. */
    @Test
    void everyValueIsOneOfTheChart()
            throws IOException
    {
        List<String> known;
        try (InputStream in = requireNonNull(DeployFilesIT.class.getResourceAsStream("/presto-chart-0.4.0-keys.txt"))) {
            known = new String(in.readAllBytes(), UTF_8).lines().filter(line -> !line.startsWith("#")).toList();
        }
        List<String> values = new ArrayList<>();
        names("", yaml(deploy.resolve("helm/values.yaml")), known, values);
        assertThat(values).contains("image.tag", "catalog", "worker.volumes").isSubsetOf(known);
    }

    /* Docker mounts an empty directory in the place of a file that does not exist. */
    @Test
    void everyMountedFileExists()
            throws IOException
    {
        Map<String, Object> services = map(requireNonNull(yaml(deploy.resolve("docker/compose.yaml")).get("services")));
        List<String> mounted = services.values().stream()
                .flatMap(service -> volumes(map(service)))
                .filter(volume -> volume.startsWith("."))
                .map(volume -> volume.substring(0, volume.indexOf(':')))
                .toList();
        assertThat(services).containsKeys("minio", "mariadb", "metastore", "coordinator", "worker-1", "worker-2", "prometheus", "grafana");
        assertThat(mounted).hasSizeGreaterThan(12).allSatisfy(file -> assertThat(deploy.resolve("docker").resolve(file)).exists());
    }

    @Test
    void optionsOfTheJvmAreThoseOfTheChartsValues()
            throws IOException
    {
        assertThat(Files.readString(deploy.resolve("docker/etc/jvm.config")).lines().filter(line -> line.startsWith("--add-opens")).toList())
                .as("options of the chart's values")
                .allSatisfy(option -> assertThat(Files.readString(deploy.resolve("helm/values.yaml"))).contains(option))
                .contains("--add-opens=java.base/java.net=ALL-UNNAMED");
    }

    private static void names(String prefix, Map<String, Object> values, List<String> known, List<String> names)
    {
        values.forEach((name, value) -> {
            String path = prefix + name;
            if (value instanceof Map && !known.contains(path)) {
                names(path + ".", map(value), known, names);
            }
            else {
                names.add(path);
            }
        });
    }

    private static Map<String, Object> yaml(Path file)
            throws IOException
    {
        return new Yaml().load(Files.readString(file));
    }

    private static Stream<String> volumes(Map<String, Object> service)
    {
        return service.get("volumes") instanceof List<?> volumes ? volumes.stream().map(String::valueOf) : Stream.of();
    }

    @SuppressWarnings("unchecked") // of the structure of the files
    private static Map<String, Object> map(Object value)
    {
        return (Map<String, Object>) value;
    }
}
