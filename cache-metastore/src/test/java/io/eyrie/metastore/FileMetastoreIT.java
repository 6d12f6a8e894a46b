// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** Another process changes a file metastore at random; the next query must see each change. */
class FileMetastoreIT
{
    private static final int STEPS = Boolean.getBoolean("eyrie.stress") ? 1000 : 50;

    @Test
    void nextQueryEqualsTheTruth(@TempDir Path directory)
            throws IOException
    {
        long seed = Long.getLong("eyrie.seed", System.nanoTime());
        VersionedHiveMetastore cached = FileMetastoreTest.cached(directory);
        List<String> done = new ArrayList<>();
        Process process = writer(directory, seed);
        try (BufferedReader changes = process.inputReader(UTF_8); PrintWriter orders = new PrintWriter(process.outputWriter(UTF_8), true)) {
            for (int step = 0; step < STEPS; step++) {
                orders.println("change");
                done.add(changes.lines()
                        .filter(line -> line.startsWith(FileMetastoreWriter.DONE))
                        .findFirst()
                        .orElseThrow(() -> new AssertionError("The writer ended after " + done + "; replay with -Deyrie.seed=" + seed)));
                assertThat(FileMetastoreTest.everything(cached)).as("after %s; replay with -Deyrie.seed=%s", done, seed)
                        .isEqualTo(FileMetastoreTest.everything(new FileMetastoreWriter(directory).metastore()));
            }
        }
        finally {
            process.destroy();
        }
        assertThat(cached.counters().entries().hits()).isGreaterThan(STEPS);
    }

    private static Process writer(Path directory, long seed)
            throws IOException
    {
        return new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                FileMetastoreWriter.class.getName(),
                directory.toString(),
                Long.toString(seed)).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }
}
