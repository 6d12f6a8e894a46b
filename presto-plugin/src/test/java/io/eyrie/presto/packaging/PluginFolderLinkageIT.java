// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.packaging;

import com.google.common.collect.Maps;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests that all references of the packaged connector can be resolved: in the folder, in the engine's SPI, in the JDK. */
class PluginFolderLinkageIT
{
    private static final String CACHE = "com/facebook/presto/cache/";
    private static final String HIVE = "com/facebook/presto/hive/";
    private static final String RANGER = HIVE + "security/ranger/";

    private static final Pattern HUDI = Pattern.compile(HIVE + "((util/)?Hudi.*|HiveUtil)");

    private static final String ALLUXIO_CACHE = "alluxio/client/file/cache/";
    private static final List<String> JARS_OF_ALLUXIO = List.of("alluxio-", "grpc-", "metrics-jvm-", "netty-", "prometheus-", "protobuf-");

    /**
     * Classes that refer to jars excluded on purpose (docs/decisions/0003): none is loaded unless Presto's own integration of Alluxio or Ranger, or a
     * Hudi table, is used. The split converters and HiveUtil are loaded for each table, and call what is missing for Hudi's splits only.
     */
    private static final Map<String, Set<String>> LEFT_OUT = Map.of(
            CACHE + "alluxio/AlluxioCachingFileSystem", Set.of("alluxio/hadoop"),
            HIVE + "HiveUtil", hudi("common/table", "common/util"),
            HIVE + "HudiDirectoryLister", hudi(
                    "common/config", "common/engine", "common/model", "common/table", "common/table/timeline", "common/table/view", "common/util"),
            HIVE + "HudiDirectoryLister$HudiFileInfoIterator", hudi("common/fs", "common/model", "common/table/view", "common/util"),
            HIVE + "util/HudiBootstrapBaseFileSplitConverter", hudi("hadoop"),
            HIVE + "util/HudiRealtimeBootstrapBaseFileSplitConverter", hudi("common/model", "common/util", "hadoop/realtime"),
            HIVE + "util/HudiRealtimeSplitConverter", hudi("common/model", "common/util", "hadoop/realtime"),
            RANGER + "RangerAuthorizer", Set.of(
                    "org/apache/ranger/audit/provider",
                    "org/apache/ranger/authorization/hadoop/config",
                    "org/apache/ranger/plugin/audit",
                    "org/apache/ranger/plugin/policyengine",
                    "org/apache/ranger/plugin/service",
                    "org/apache/ranger/plugin/util"),
            RANGER + "RangerBasedAccessControl", Set.of("org/apache/ranger/plugin/util"));

    private static Set<String> hudi(String... packages)
    {
        return Stream.of(packages).map("org/apache/hudi/"::concat).collect(Collectors.toSet());
    }

    @Test
    void eyriesFolderLacksWhatIsLeftOutAlone()
            throws IOException
    {
        DanglingReferences references = check(Path.of("target/plugin/eyrie"));

        assertThat(packagesByReferrer(references.found())).isEqualTo(LEFT_OUT);
        assertThat(references.checkedClasses()).isGreaterThan(2000);
    }

    /* As the error about a Hudi table says. */
    @Test
    void folderWithHudisBundleLacksWhatIsLeftOutAlone()
            throws IOException
    {
        Path folder = Files.createTempDirectory(Path.of("target"), "with-hudi-");
        for (String source : List.of("eyrie", "hive-stock")) {
            String wanted = source.equals("eyrie") ? "(?!eyrie-hudi-absent-).*\\.jar" : "hudi-presto-bundle-.*";
            try (Stream<Path> jars = Files.list(Path.of("target/plugin", source))) {
                for (Path jar : jars.filter(path -> path.getFileName().toString().matches(wanted)).toList()) {
                    Files.createLink(folder.resolve(jar.getFileName()), jar);
                }
            }
        }
        assertThat(packagesByReferrer(check(folder).found())).isEqualTo(Maps.filterKeys(LEFT_OUT, referrer -> !HUDI.matcher(referrer).matches()));
    }

    @Test
    void alluxiosCacheLacksNothingThatItUses()
            throws IOException
    {
        DanglingReferences references = check(Path.of("target/plugin/eyrie"), name -> name.startsWith(ALLUXIO_CACHE));

        // for files written in parts, which Presto never writes
        assertThat(packagesByReferrer(references.found())).isEqualTo(Map.of(ALLUXIO_CACHE + "store/LocalPageStore", Set.of("org/apache/commons/io")));
        assertThat(references.checkedClasses()).isGreaterThan(80);
    }

    @Test
    void noClassThatComesWithAlluxioIsInAnotherJar()
            throws IOException
    {
        Map<String, Set<String>> jarsByClass = new TreeMap<>();
        try (Stream<Path> jars = Files.list(Path.of("target/plugin/eyrie"))) {
            for (Path jar : jars.filter(path -> path.toString().endsWith(".jar")).toList()) {
                try (JarFile file = new JarFile(jar.toFile())) {
                    file.stream()
                            .map(JarEntry::getName)
                            .filter(name -> name.endsWith(".class") && !name.startsWith("META-INF/") && !name.equals("module-info.class"))
                            .forEach(name -> jarsByClass.computeIfAbsent(name, ignored -> new TreeSet<>()).add(jar.getFileName().toString()));
                }
            }
        }
        assertThat(jarsByClass.keySet()).contains(ALLUXIO_CACHE + "LocalCacheManager.class", "org/rocksdb/CompressionType.class");
        assertThat(jarsByClass.values()).filteredOn(jars -> jars.stream().anyMatch(jar -> JARS_OF_ALLUXIO.stream().anyMatch(jar::startsWith)))
                .allMatch(jars -> jars.size() == 1);
    }

    @Test
    void stockFolderLacksNothing()
            throws IOException
    {
        DanglingReferences references = check(Path.of("target/plugin/hive-stock"));

        assertThat(references.found()).isEmpty();
        assertThat(references.checkedClasses()).isGreaterThan(2000);
    }

    private static DanglingReferences check(Path folder)
            throws IOException
    {
        return check(folder, PluginFolderLinkageIT::isPrestosOrOurs);
    }

    private static DanglingReferences check(Path folder, Predicate<String> names)
            throws IOException
    {
        PluginClasses classes = new PluginClasses(folder, PluginFolderLinkageIT.class.getClassLoader());
        DanglingReferences references = new DanglingReferences(classes);
        classes.classFiles(names).forEach(references::check);
        return references;
    }

    private static Map<String, Set<String>> packagesByReferrer(SortedMap<String, SortedSet<String>> missing)
    {
        Map<String, Set<String>> packages = new TreeMap<>();
        missing.forEach((name, referrers) -> {
            String type = name.split("[.]", 2)[0];
            String packageName = type.substring(0, type.lastIndexOf('/'));
            referrers.forEach(referrer -> packages.computeIfAbsent(referrer, ignored -> new TreeSet<>()).add(packageName));
        });
        return packages;
    }

    /* Presto's forks of Hadoop, Hive and others contain their own dependencies below $internal; we ignore references that are missing there. */
    private static boolean isPrestosOrOurs(String internalName)
    {
        return (internalName.startsWith("com/facebook/presto/") || internalName.startsWith("io/eyrie/")) && !internalName.contains("$internal");
    }
}
