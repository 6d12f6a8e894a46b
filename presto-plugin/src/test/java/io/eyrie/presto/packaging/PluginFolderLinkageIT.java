package io.eyrie.presto.packaging;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

import static org.assertj.core.api.Assertions.assertThat;

/** Whether all that the packed connector refers to is there: in the folder, in the engine's SPI, in the JDK. */
class PluginFolderLinkageIT
{
    private static final String CACHE = "com/facebook/presto/cache/";
    private static final String RANGER = "com/facebook/presto/hive/security/ranger/";

    /** Classes that refer to jars left out on purpose (docs/decisions/0003): none is loaded unless Alluxio's cache, the file-merge cache or Ranger is used. */
    private static final Map<String, Set<String>> LEFT_OUT = Map.of(
            CACHE + "alluxio/AlluxioCachingFileSystem", Set.of("alluxio/client/file", "alluxio/conf", "alluxio/hadoop", "alluxio/wire"),
            CACHE + "alluxio/PrestoCacheContext", Set.of("alluxio/client/file", "alluxio/client/quota", CACHE + "alluxio"),
            CACHE + "alluxio/PrestoCacheContext$1", Set.of("alluxio/client/file"),
            CACHE + "filemerge/FileMergeCacheManager", Set.of("alluxio/collections"),
            RANGER + "RangerAuthorizer", Set.of(
                    "org/apache/ranger/audit/provider",
                    "org/apache/ranger/authorization/hadoop/config",
                    "org/apache/ranger/plugin/audit",
                    "org/apache/ranger/plugin/policyengine",
                    "org/apache/ranger/plugin/service",
                    "org/apache/ranger/plugin/util"),
            RANGER + "RangerBasedAccessControl", Set.of("org/apache/ranger/plugin/util"));

    @Test
    void eyriesFolderLacksWhatIsLeftOutAlone()
            throws IOException
    {
        DanglingReferences references = check(Path.of("target/plugin/eyrie"));

        assertThat(packagesByReferrer(references.found())).isEqualTo(LEFT_OUT);
        assertThat(references.checkedClasses()).isGreaterThan(2000);
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
        PluginClasses classes = new PluginClasses(folder, PluginFolderLinkageIT.class.getClassLoader());
        DanglingReferences references = new DanglingReferences(classes);
        classes.classFiles(PluginFolderLinkageIT::isPrestosOrOurs).forEach(references::check);
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

    /* Presto's forks of Hadoop, Hive and others hide their own dependencies below $internal; what those lack is not ours. */
    private static boolean isPrestosOrOurs(String internalName)
    {
        return (internalName.startsWith("com/facebook/presto/") || internalName.startsWith("io/eyrie/")) && !internalName.contains("$internal");
    }
}
