// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.check;

import io.eyrie.presto.config.CatalogFile;
import io.eyrie.presto.config.Guide;
import io.eyrie.presto.config.Machine;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

import static org.assertj.core.api.Assertions.assertThat;

class SelfCheckTest
{
    private static final long GIGABYTE = 1 << 30;

    private final Path directory;

    SelfCheckTest(@TempDir Path directory)
    {
        this.directory = directory;
    }

    @BeforeEach
    void ownersAlone()
            throws IOException
    {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void nothingIsWrong()
    {
        assertThat(onlyProperties(CheckedCatalog.findings(directory))).isEmpty();
    }

    @Test
    void guideVerbatim()
            throws IOException
    {
        Map<String, String> guide = new HashMap<>(Guide.lines());
        guide.put("cache.base-directory", directory.toUri().toString());
        for (String name : List.of("hive", "lake")) {
            List<Finding> findings = new SelfCheck(new CatalogFile(name, guide), List.of()).findings();
            assertThat(findings).noneMatch(finding -> finding.severity() == Severity.ERROR);
            assertThat(onlyProperties(findings)).filteredOn(finding -> finding.severity() == Severity.WARNING)
                    .extracting(Finding::key).isSubsetOf("cache.max-cache-size"); // this disk may have less than 1600 GB
            assertThat(findings).filteredOn(finding -> finding.severity() == Severity.NOTE).extracting(Finding::problem)
                    .anyMatch(problem -> problem.contains("hive.partition-statistics-based-optimization-enabled"))
                    .anyMatch(problem -> problem.contains("fragment-result-cache.cache-ttl"));
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            cache.write-bufer              | 64MB  | cache.write-buffer
            cache.max-cahce-size           | 64MB  | cache.max-cache-size
            hive.metastore.ur              | t:1   | hive.metastore.uri
            lake.orc.file-tail-cache-siz   | 1MB   | hive.orc.file-tail-cache-size
            """)
    void misspelledNamesAreMatched(String name, String value, String meant)
    {
        assertThat(CheckedCatalog.findings(directory, name, value)).anySatisfy(finding -> {
            assertThat(finding.severity()).isEqualTo(Severity.ERROR);
            assertThat(finding.text()).contains("is " + value, "Presto does not start", "To fix: write " + meant);
        });
    }

    @Test
    void nameLikeNoOther()
    {
        assertThat(CheckedCatalog.findings(directory, "nothing.like-it-at-all", "1")).anySatisfy(
                finding -> assertThat(finding.text()).contains("nothing.like-it-at-all is 1", "To fix: remove the line"));
    }

    @Test
    void secretsUnderMisspelledNamesAreNotShown()
    {
        for (String name : List.of("hive.ranger.service.basic-auth-pasword", "hive.metastore.thrift.client.tls.truststore-passwrd", "my-own.pwd")) {
            assertThat(CheckedCatalog.findings(directory, name, "hunter2")).anyMatch(finding -> finding.key().equals(name)).noneMatch(
                    finding -> finding.text().contains("hunter2"));
        }
        assertThat(CheckedCatalog.findings(directory, "hive.s3.aws-secret-kye", "hush")).anyMatch(finding -> finding.key().contains("secret"))
                .noneMatch(finding -> finding.text().contains("hush"));
    }

    @Test
    void everyBadValueIsTold()
    {
        assertThat(CheckedCatalog.findings(directory, "cache.page-size", "big", "cache.ttl", "2")).filteredOn(
                finding -> finding.severity() == Severity.ERROR)
                .extracting(Finding::key).containsExactlyInAnyOrder("cache.page-size", "cache.ttl");
    }

    @Test
    void valueThatOnlyItsClassRefuses()
    {
        assertThat(CheckedCatalog.findings(directory, "cache.file-handles.max-idle", "9999999999")).anySatisfy(
                finding -> assertThat(finding.text()).contains("cache.file-handles.max-idle is '9999999999'"));
        assertThat(CheckedCatalog.findings(directory, "cache.max-cache-size", "8MB", "cache.alluxio.max-cache-size", "9MB")).anySatisfy(
                finding -> assertThat(finding.severity()).isEqualTo(Severity.ERROR));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            hive.node-selection-strategy=NO_PREFERENCE                            | hive.node-selection-strategy     | every worker fetches
            hive.node-selection-strategy=HARD_AFFINITY                            | hive.node-selection-strategy     | only under SOFT_AFFINITY
            cache.enabled=,fragment-result-cache.enabled=true                     | fragment-result-cache.enabled    | no result is cached
            cache.enabled=,lake.orc.file-tail-cache-enabled=true                  | hive.orc.file-tail-cache-enabled | no footer is cached
            cache.enabled=false                                                   | cache.base-directory             | no data is cached
            cache.enabled=false,cache.page-size=2MB                               | cache.page-size                  | no data is cached
            cache.enabled=false                                                   | fragment-result-cache.max-single-pages-size | no result is cached
            cache.enabled=false,lake.orc.file-tail-cache-size=1GB                 | hive.orc.file-tail-cache-size    | no footer is cached
            fragment-result-cache.enabled=false                                   | fragment-result-cache.max-single-pages-size | the layer is off
            lake.parquet.metadata-cache-enabled=false,lake.parquet.metadata-cache-size=1GB | hive.parquet.metadata-cache-size | the layer is off
            hive.file-status-cache-size=1                                         | hive.file-status-cache-size      | no file list is cached
            cache.type=ALLUXIO_CLIENT,cache.ttl=2d                                | cache.ttl                        | does not support it
            cache.type=ALLUXIO_CLIENT,cache.encryption-key-file=/k                | cache.encryption-key-file        | does not encrypt
            cache.type=ALLUXIO_CLIENT,fragment-result-cache.enabled=true          | fragment-result-cache.enabled    | Eyrie's own engine
            cache.write-buffer=9MB                                                | cache.write-buffer               | exceeds the disk space
            cache.ttl=1s                                                          | cache.ttl                        | before another query
            cache.disk-timeout=10ms                                               | cache.disk-timeout               | only busy
            cache.previous-encryption-keys=file:/old                              | cache.previous-encryption-keys   | nothing is encrypted
            cache.encryption-key-file=/k,cache.encryption-key-variable=K          | cache.encryption-key-file        | is also set
            cache.quotas=hive=1GB                                                 | cache.quotas                     | has no effect
            cache.default-cache-quota=1GB                                         | cache.default-cache-quota        | has no effect
            cache.cache-quota-scope=TABLE                                         | cache.cache-quota-scope          | the size of the quota
            cache.admission.allow=a.b.c,cache.admission.deny=a.b.c                | cache.admission.deny             | deny takes precedence
            cache.admission.dry-run=true                                          | cache.admission.dry-run          | no rule to test
            cache.admission.query-write-budget=2GB,cache.admission.daily-write-budget=1GB | cache.admission.query-write-budget | the daily budget
            fragment-result-cache.enabled=true,fragment-result-cache.max-single-pages-size=3MB | fragment-result-cache.max-single-pages-size | larger than 2MB
            hive.metastore-cache-ttl=0s,cache.metastore.grace=5m                  | cache.metastore.grace            | no metadata is cached
            hive.metastore-impersonation-enabled=true,cache.metastore.grace=5m    | cache.metastore.grace            | no metadata is cached
            cache.trace-directory=/no/such/directory                              | cache.trace-directory            | Presto does not start
            cache.trace-directory=/no/such/directory,cache.trace-on-request=true   | cache.trace-directory            | records nothing
            cache.control-directory=/proc/version/control                         | cache.control-directory          | may not create it
            hive.metastore-cache-ttl=1m,cache.metastore.grace=5m                  | cache.metastore.grace            | cached no longer
            hive.metastore-cache-ttl=1m,hive.metastore-cache-maximum-size=0       | hive.metastore-cache-maximum-size | at least 1
            hive.file-status-cache-tables=*                                       | hive.file-status-cache-tables    | no file list is cached
            hive.file-status-cache-expire-time=1h                                 | hive.file-status-cache-expire-time | names no table
            cache.open-partition-age=1h                                           | cache.open-partition-age         | lists every directory
            """)
    void contradictions(String changes, String key, String problem)
    {
        List<Finding> findings = CheckedCatalog.findings(directory, changes(changes));
        assertThat(findings).filteredOn(finding -> finding.key().equals(key)).anySatisfy(finding -> {
            assertThat(finding.severity()).isNotEqualTo(Severity.NOTE);
            assertThat(finding.problem()).contains(problem);
            assertThat(finding.fix()).isNotEmpty();
        });
    }

    @Test
    void linesThatNeedNoData()
    {
        assertThat(CheckedCatalog.findings(directory, "cache.enabled", "", "cache.operators", "ops", "cache.control-directory", directory.resolve(
                "changes")
                .toString())).extracting(Finding::key).doesNotContain("cache.operators", "cache.control-directory");
    }

    @Test
    void directoriesOfTracesAndChanges()
            throws IOException
    {
        Path own = Files.createDirectory(directory.resolve("own"), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(
                "rwx------")));
        assertThat(onlyProperties(CheckedCatalog.findings(directory, "cache.trace-directory", own.toString(), "cache.control-directory",
                own.resolve("created/later").toString()))).isEmpty();
        Files.setAttribute(own, "unix:mode", 0777);
        assertThat(CheckedCatalog.findings(directory, "cache.control-directory", own.toString())).anySatisfy(finding -> {
            assertThat(finding.severity()).isEqualTo(Severity.WARNING);
            assertThat(finding.text()).contains("cache.control-directory is " + own, "every user may write", "To fix: chmod go-w " + own);
        });
    }

    @Test
    void encryptionDoesNotEndTheChangesOfOperators()
            throws IOException
    {
        Path key = directory.resolve("key");
        Files.writeString(key, "00".repeat(32));
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
        String[] encrypted = {"cache.encryption-key-file", key.toString()};
        Path control = Files.createDirectory(directory.resolve("control"), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(
                "rwx------")));
        assertThat(onlyProperties(CheckedCatalog.findings(directory, encrypted))).as("no file").isEmpty();
        Path file = Files.writeString(control.resolve("lake.json"), "{}");
        assertThat(onlyProperties(CheckedCatalog.findings(directory, encrypted))).singleElement().satisfies(finding -> {
            assertThat(finding.severity()).isEqualTo(Severity.ERROR);
            assertThat(finding.text()).contains("cache.control-directory: " + file, "rules, pins and quotas", "To fix: move the file to");
        });
        assertThat(onlyProperties(CheckedCatalog.findings(directory))).as("without encryption").isEmpty();
        assertThat(onlyProperties(CheckedCatalog.findings(directory, "cache.encryption-key-file", key.toString(), "cache.control-directory", control
                .toString()))).as("the file is in use").isEmpty();
        Machine worker = new Machine(1, false, directories -> List.of());
        assertThat(new SelfCheck(CheckedCatalog.of("lake", directory, encrypted), List.of(), worker).findings()).as("a worker reads no such file")
                .noneMatch(finding -> finding.key().equals("cache.control-directory"));
    }

    @Test
    void whatOnlyACheckOutsideOfPrestoNeeds()
            throws IOException
    {
        Path file = directory.resolve("hive.properties");
        Files.writeString(file, """
                connector.name=eyrie
                hive.security=ranger
                cache.ttl=1d
                cache.ttl = 2d
                #cache.ttl=3d
                hive.s3.aws-secret-key=old
                hive.s3.aws-secret-key=new
                """);
        assertThat(new SelfCheck(CatalogFile.read(file), List.of()).outsideFindings(file)).extracting(Finding::text)
                .anyMatch(text -> text.startsWith("hive.security is ranger: Presto does not start unless") && text.contains("To fix: copy ranger-"))
                .anyMatch(text -> text.startsWith("cache.ttl is 2d: the file has more than one line"))
                .anyMatch(text -> text.startsWith("hive.s3.aws-secret-key is (not shown): the file has more than one line"))
                .hasSize(3);
    }

    /* A value may contain an =. */
    private static String[] changes(String text)
    {
        return List.of(text.split(",", -1)).stream().flatMap(change -> List.of(change.split("=", 2)).stream()).toArray(String[]::new);
    }

    @Test
    void directoriesOnDisk()
            throws IOException
    {
        assertThat(CheckedCatalog.findings(directory.resolve("missing"))).anySatisfy(finding -> {
            assertThat(finding.severity()).isEqualTo(Severity.ERROR);
            assertThat(finding.text()).contains("cache.base-directory is " + directory.resolve("missing"), "To fix: mkdir -p -m 700");
        });
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwx---"));
        assertThat(CheckedCatalog.findings(directory)).anySatisfy(finding -> assertThat(finding.text()).contains("may write to it", "chmod 700"));
    }

    @Test
    void encryptionKeys()
            throws IOException
    {
        Path key = directory.resolve("key");
        assertThat(CheckedCatalog.findings(directory, "cache.encryption-key-file", key.toString())).anySatisfy(finding -> {
            assertThat(finding.severity()).isEqualTo(Severity.ERROR);
            assertThat(finding.text()).contains("cache.encryption-key-file", key.toString());
        });
        Files.writeString(key, "00".repeat(32));
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(CheckedCatalog.findings(directory, "cache.encryption-key-file", key.toString())).anyMatch(finding -> finding.key().contains(
                "cache.encryption-key-file"));
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
        assertThat(onlyProperties(CheckedCatalog.findings(directory, "cache.encryption-key-file", key.toString()))).isEmpty();
        assertThat(CheckedCatalog.findings(directory, "cache.encryption-key-variable", "EYRIE_NO_SUCH_KEY")).anySatisfy(finding -> {
            assertThat(finding.severity()).isEqualTo(Severity.WARNING);
            assertThat(finding.text()).contains("env:EYRIE_NO_SUCH_KEY", "not set for this process");
        });
    }

    @Test
    void siblingsOnOneDirectory()
    {
        CatalogFile catalog = CheckedCatalog.of("lake", directory);
        assertThat(new SelfCheck(catalog, List.of(CheckedCatalog.of("hive", directory))).findings())
                .noneMatch(finding -> finding.severity() == Severity.ERROR);
        assertThat(new SelfCheck(catalog, List.of(CheckedCatalog.of("hive", directory, "cache.ttl", "2d"))).findings()).anySatisfy(finding -> {
            assertThat(finding.severity()).isEqualTo(Severity.ERROR);
            assertThat(finding.text()).contains("cache.ttl", "catalog hive has", directory.toString(), "To fix: set the same value in both");
        });
        assertThat(new SelfCheck(catalog, List.of(CheckedCatalog.of("hive", directory, "cache.max-memory", "1GB"))).findings())
                .anyMatch(finding -> finding.text().contains("cache.max-memory is the default: catalog hive has 1GB"));
        assertThat(new SelfCheck(catalog, List.of(CheckedCatalog.of("hive", directory, "cache.type", "ALLUXIO_CLIENT"))).findings())
                .anyMatch(finding -> finding.text().contains("Alluxio's client cannot share it"));
        assertThat(new SelfCheck(catalog, List.of(CheckedCatalog.of("hive", directory, "cache.base-directory", directory + ",/mnt/other")))
                .findings())
                .anyMatch(finding -> finding.text().contains("/mnt/other"));
    }

    @Test
    void siblingsOnOneVolumeThatDoNotFitTogether()
            throws IOException
    {
        long most = Files.getFileStore(directory).getTotalSpace() * 8 / 10;
        CatalogFile catalog = CheckedCatalog.of("lake", directory, "cache.max-cache-size", most + "B");
        CatalogFile other = CheckedCatalog.of("hive", Files.createDirectory(directory.resolve("other")), "cache.max-cache-size", most + "B");
        CatalogFile small = CheckedCatalog.of("small", Files.createDirectory(directory.resolve("small")));
        assertThat(new SelfCheck(catalog, List.of(small)).findings()).noneMatch(finding -> finding.text().contains("on the same volume"));
        assertThat(new SelfCheck(catalog, List.of(other, small)).findings()).anySatisfy(finding -> {
            assertThat(finding.severity()).isEqualTo(Severity.WARNING);
            assertThat(finding.text()).contains("cache.max-cache-size", "(hive, small) are in other directories on the same volume",
                    "To fix: set cache.max-cache-size in each of them");
        });
    }

    @Test
    void memoryBesideTheEnginesHeadroom()
    {
        SelfCheck check = new SelfCheck(CheckedCatalog.of("lake", directory, "cache.max-memory", "1GB"), List.of(CheckedCatalog.of("hive",
                directory.resolve("other"), "cache.max-memory", "1GB")));
        assertThat(headroom(check, 8)).isEmpty();
        assertThat(headroom(check, 2)).singleElement().satisfies(finding -> assertThat(finding.severity()).isEqualTo(Severity.WARNING));
        assertThat(headroom(check, 1)).singleElement().satisfies(finding -> {
            assertThat(finding.severity()).isEqualTo(Severity.ERROR);
            assertThat(finding.text()).contains("memory.heap-headroom-per-node is 1GB", "To fix: ");
        });
        assertThat(check.memoryFindings(GIGABYTE / 2, Engine.UNKNOWN)).anyMatch(finding -> finding.key().equals("cache.max-memory")
                && finding.severity() == Severity.ERROR);
    }

    @Test
    void catalogsOnOneDirectoryHaveTheirPagesMemoryOnce()
    {
        String[] properties = {"cache.index-memory", "1GB", "cache.max-memory", "4GB", "hive.metastore-cache-ttl", "0s",
                "fragment-result-cache.enabled",
                "false"};
        CatalogFile catalog = CheckedCatalog.of("lake", directory, properties);
        SelfCheck shared = new SelfCheck(catalog, List.of(CheckedCatalog.of("hive", directory, properties)));
        SelfCheck apart = new SelfCheck(catalog, List.of(CheckedCatalog.of("hive", directory.resolve("other"), properties)));

        assertThat(headroom(apart, 5)).isNotEmpty();
        assertThat(headroom(shared, 5)).isEmpty();
    }

    @Test
    void memoryThatIsScaledOrTooSmall()
    {
        SelfCheck check = new SelfCheck(CheckedCatalog.of("lake", directory), List.of());
        assertThat(check.memoryFindings(GIGABYTE, Engine.UNKNOWN)).singleElement().satisfies(finding -> {
            assertThat(finding.severity()).isEqualTo(Severity.NOTE);
            assertThat(finding.text()).contains("cache.max-memory is 153.60MB, 15 percent of the heap", "scaled down: page index 256MB to",
                    "metadata ", "recordings of fragment results ");
        });
        assertThat(check.memoryFindings(GIGABYTE / 8, Engine.UNKNOWN)).anyMatch(finding -> finding.severity() == Severity.WARNING
                && finding.text().contains("raise it or -Xmx"));
    }

    private static List<Finding> headroom(SelfCheck check, long gigabytes)
    {
        Engine engine = new Engine(OptionalLong.of(8 * GIGABYTE), OptionalLong.of(gigabytes * GIGABYTE), Optional.empty());
        return check.memoryFindings(8 * GIGABYTE, engine).stream().filter(finding -> finding.key().equals(Engine.HEADROOM)).toList();
    }

    /* Removes the findings about this machine's disk, which are not part of the test. */
    private static List<Finding> onlyProperties(List<Finding> findings)
    {
        return findings.stream().filter(finding -> !finding.key().equals("cache.base-directory")).toList();
    }
}
