// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.presto;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;

/** The configuration of a cluster; {@link PrestoClusterBuilder} documents each part. */
record PrestoClusterConfig(
        Path engineLib,
        Path javaHome,
        Path logDirectory,
        int workers,
        boolean coordinatorWorks,
        int coordinatorHeapMegabytes,
        int workerHeapMegabytes,
        List<String> jvmOptions,
        List<String> coordinatorJvmOptions,
        Map<String, String> config,
        Map<String, Map<String, String>> catalogs,
        Map<String, Path> plugins,
        Duration startTimeout)
{
    PrestoClusterConfig
    {
        requireNonNull(engineLib, "engineLib is null");
        requireNonNull(javaHome, "javaHome is null");
        requireNonNull(logDirectory, "logDirectory is null");
        requireNonNull(startTimeout, "startTimeout is null");
        jvmOptions = List.copyOf(jvmOptions);
        coordinatorJvmOptions = List.copyOf(coordinatorJvmOptions);
        config = Map.copyOf(config);
        catalogs = Map.copyOf(catalogs);
        plugins = Map.copyOf(plugins);
        if (workers < 0) {
            throw new IllegalArgumentException("workers is negative: " + workers);
        }
        if (workers == 0 && !coordinatorWorks) {
            throw new IllegalArgumentException("No node would work: there are no workers, and the coordinator does not work");
        }
        if (coordinatorHeapMegabytes < 256 || workerHeapMegabytes < 256) {
            throw new IllegalArgumentException("Presto does not start with a heap below 256 MB");
        }
    }

    List<String> jvmOptions(boolean isCoordinator)
    {
        return isCoordinator ? Stream.concat(jvmOptions.stream(), coordinatorJvmOptions.stream()).toList() : jvmOptions;
    }
}
