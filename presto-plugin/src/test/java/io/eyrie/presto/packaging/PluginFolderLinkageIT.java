// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.packaging;

import com.google.common.collect.Maps;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
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

import static java.nio.charset.StandardCharsets.UTF_8;
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

    /** Services of jars excluded on purpose: of Ranger's client, of Hudi's bundle, and of Alluxio's file system and its transport. */
    private static final Pattern LEFT_OUT_SERVICES = Pattern.compile(
            "com\\.facebook\\.presto\\.ranger\\..*|org\\.apache\\.hudi\\..*|alluxio\\.hadoop\\.FileSystem|io\\.grpc\\..*");
    private static final String ALLUXIOS_FILE_SYSTEM = "alluxio-core-client-hdfs|commons-io|commons-lang3|grpc-.*|netty-.*|perfmark-api|protobuf-java-util";
    private static final String SERVICES = "META-INF/services/";

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

    /* A class that is found by ServiceLoader is referenced by no other class. */
    @Test
    void eyriesFolderLacksOnlyServicesThatAreLeftOut()
            throws IOException
    {
        Set<String> lacking = services(Path.of("target/plugin/hive-stock"));
        assertThat(lacking).hasSizeGreaterThan(100);
        lacking.removeAll(services(Path.of("target/plugin/eyrie")));
        assertThat(lacking).contains("alluxio.hadoop.FileSystem").allMatch(service -> LEFT_OUT_SERVICES.matcher(service).matches());
    }

    private static Set<String> services(Path folder)
            throws IOException
    {
        Set<String> services = new TreeSet<>();
        try (Stream<Path> jars = Files.list(folder)) {
            for (Path jar : jars.filter(path -> path.toString().endsWith(".jar")).toList()) {
                try (JarFile file = new JarFile(jar.toFile())) {
                    for (JarEntry entry : file.stream().filter(one -> one.getName().startsWith(SERVICES) && !one.isDirectory()).toList()) {
                        try (InputStream in = file.getInputStream(entry)) {
                            new String(in.readAllBytes(), UTF_8).lines()
                                    .map(line -> line.replaceFirst("#.*", "").strip())
                                    .filter(line -> !line.isEmpty())
                                    .forEach(services::add);
                        }
                    }
                }
            }
        }
        return services;
    }

    /* As the error about a Hudi table says. */
    @Test
    void folderWithHudisBundleLacksWhatIsLeftOutAlone()
            throws IOException
    {
        Path folder = folder("with-hudi-", "(?!eyrie-hudi-absent-).*\\.jar", "hudi-presto-bundle-.*");
        assertThat(packagesByReferrer(check(folder).found())).isEqualTo(Maps.filterKeys(LEFT_OUT, referrer -> !HUDI.matcher(referrer).matches()));
    }

    /* As the error about a location at alluxio:// says. Presto's own folder lacks stateless4j and a part of Curator. */
    @Test
    void folderWithAlluxiosFileSystemLacksNothingThatPrestosHas()
            throws IOException
    {
        Predicate<String> client = name -> name.startsWith("alluxio/hadoop/") || name.startsWith("alluxio/client/file/");
        DanglingReferences references = check(folder("with-alluxio-", ".*\\.jar", "(" + ALLUXIOS_FILE_SYSTEM + ")-[0-9].*"), client);
        assertThat(references.found()).isEqualTo(check(Path.of("target/plugin/hive-stock"), client).found());
        assertThat(references.checkedClasses()).isGreaterThan(200);
    }

    /* The jars of Eyrie's folder that match, and those of Presto's folder that match and of which Eyrie's has no other version. */
    private static Path folder(String name, String ofEyrie, String ofStock)
            throws IOException
    {
        Path folder = Files.createTempDirectory(Path.of("target"), name);
        Set<String> artifacts = new TreeSet<>();
        for (String source : List.of("eyrie", "hive-stock")) {
            try (Stream<Path> jars = Files.list(Path.of("target/plugin", source))) {
                for (Path jar : jars.toList()) {
                    String file = jar.getFileName().toString();
                    if (file.matches(source.equals("eyrie") ? ofEyrie : ofStock) && artifacts.add(file.replaceFirst("-[0-9].*", ""))) {
                        Files.createLink(folder.resolve(file), jar);
                    }
                }
            }
        }
        return folder;
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
