// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.lake;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A checkout of Eyrie; the test processes run from its build output.
 *
 * @param root the directory of {@code mvnw}
 */
public record Checkout(Path root)
{
    /** The system property that names the root. */
    public static final String ROOT_PROPERTY = "eyrie.root";

    /** Returns the checkout that {@value #ROOT_PROPERTY} names, or else the one that contains the working directory. */
    public static Checkout find()
    {
        String named = System.getProperty(ROOT_PROPERTY);
        Path directory = Path.of(named == null ? "" : named).toAbsolutePath();
        while (!Files.exists(directory.resolve("mvnw"))) {
            Path parent = directory.getParent();
            if (parent == null) {
                throw new IllegalStateException("No checkout of Eyrie around " + Path.of("").toAbsolutePath() + "; name its root with -D"
                        + ROOT_PROPERTY + "=…");
            }
            directory = parent;
        }
        return new Checkout(directory);
    }

    /** The jars of Presto's engine. */
    public Path engineLib()
    {
        return built("testing/presto-engine/target/lib");
    }

    /** The plugin folder of Presto's {@code tpch} connector. */
    public Path tpchPlugin()
    {
        return built("testing/presto-engine/target/plugin/tpch");
    }

    /** The plugin folder of Presto's {@code memory} connector. */
    public Path memoryPlugin()
    {
        return built("testing/presto-memory/target/plugin/memory");
    }

    /** The plugin folder of Eyrie. */
    public Path eyriePlugin()
    {
        return built("presto-plugin/target/plugin/eyrie");
    }

    /** The plugin folder of Presto's own Hive connector, built with Eyrie's recipe. */
    public Path stockPlugin()
    {
        return built("presto-plugin/target/plugin/hive-stock");
    }

    /** The jars of a Hive Metastore. */
    public Path metastoreLib()
    {
        return built("testing/hive-metastore/target/lib");
    }

    /** The jars of Hadoop's mini cluster. */
    public Path hdfsLib()
    {
        return built("testing/hdfs/target/lib");
    }

    /** The class path of the recorder of Presto's own test suites. */
    public String suitesClassPath()
    {
        return built("testing/presto-suites/target/classes") + File.pathSeparator + built("testing/presto-suites/target/lib") + File.separator + "*";
    }

    private Path built(String folder)
    {
        Path directory = root.resolve(folder);
        if (!Files.isDirectory(directory)) {
            throw new IllegalStateException(directory + " is missing: build it with ./mvnw package -DskipTests");
        }
        return directory;
    }
}
