// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.plugin;

import com.facebook.presto.spi.Plugin;
import com.facebook.presto.spi.PrestoException;
import com.facebook.presto.spi.connector.Connector;
import com.facebook.presto.spi.procedure.Procedure;
import com.facebook.presto.spi.session.PropertyMetadata;
import io.eyrie.cache.admission.Admission;
import io.eyrie.cache.host.UnsupportedHostException;
import io.eyrie.cache.page.PageCacheStats;
import io.eyrie.footer.FooterStats;
import io.eyrie.fragment.join.JoinRefusal;
import io.eyrie.fragment.leaf.Refusal;
import io.eyrie.fragment.result.Abandonment;
import io.eyrie.fragment.result.FragmentStats;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;

import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static com.facebook.presto.spi.StandardErrorCode.CONFIGURATION_INVALID;
import static com.facebook.presto.spi.StandardErrorCode.NOT_SUPPORTED;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class EyrieConnectorFactoryTest
{
    private final Path directory;
    private final Path flash;
    private final List<Connector> started = new ArrayList<>();

    EyrieConnectorFactoryTest(@TempDir Path directory)
            throws IOException
    {
        this.directory = directory;
        flash = Files.createDirectory(directory.resolve("flash"));
    }

    @AfterEach
    void shutDown()
    {
        started.forEach(Connector::shutdown);
    }

    @Test
    void pluginOffersTheConnector()
    {
        assertThat(ServiceLoader.load(Plugin.class).stream().map(ServiceLoader.Provider::type)).contains(EyriePlugin.class);
        assertThat(new EyriePlugin().getConnectorFactories()).singleElement().satisfies(factory -> assertThat(factory.getName()).isEqualTo("eyrie"));
    }

    @Test
    void twoCatalogsWithTheGuidesPropertiesInOneProcess()
            throws IOException
    {
        Connector hive = start("hive", guide());
        Connector lake = start("lake", guide());

        for (Connector connector : List.of(hive, lake)) {
            assertThat(connector.getSessionProperties()).extracting(PropertyMetadata::getName).contains("cache_enabled", "node_selection_strategy");
            assertThat(connector.getSessionProperties()).filteredOn(property -> property.getName().equals("cache_enabled"))
                    .singleElement().extracting(PropertyMetadata::getDefaultValue).isEqualTo(true);
            assertThat(connector.getProcedures()).extracting(Procedure::getName)
                    .contains("create_empty_partition", "sync_partition_metadata", "invalidate_directory_list_cache");
            assertThat(connector.getTableProperties()).extracting(PropertyMetadata::getName).contains("format", "partitioned_by");
            assertThat(connector.getSchemaProperties()).extracting(PropertyMetadata::getName).contains("location");
            assertThat(connector.getAnalyzeProperties()).extracting(PropertyMetadata::getName).contains("partitions");
        }
    }

    @Test
    void everyCounterOfTheCacheIsAnAttribute()
            throws IOException,
            JMException
    {
        start("counted", guide());
        MBeanAttributeInfo[] attributes = ManagementFactory.getPlatformMBeanServer()
                .getMBeanInfo(new ObjectName("io.eyrie:type=DataCache,name=counted"))
                .getAttributes();
        assertThat(Stream.of(attributes).map(attribute -> attribute.getName().toLowerCase(Locale.ROOT)))
                .containsExactlyInAnyOrderElementsOf(Stream.concat(
                        Stream.concat(Stream.of("lookups"), components(PageCacheStats.class).map(name -> name.toLowerCase(Locale.ROOT))),
                        EnumSet.complementOf(EnumSet.of(Admission.ADMITTED))
                                .stream()
                                .map(refusal -> refusal.name().replace("_", "").toLowerCase(Locale.ROOT)))
                        .toList());
    }

    private static Stream<String> components(Class<?> record)
    {
        return Stream.of(record.getRecordComponents())
                .flatMap(component -> component.getType().isRecord() ? components(component.getType()) : Stream.of(component.getName()));
    }

    @Test
    void mbeanWithoutADocumentedName()
            throws IOException,
            JMException
    {
        start("documented", guide());
        Set<String> documented = Pattern.compile("(?m)^\\| `(\\w+)`").matcher(Files.readString(Path.of("README.md"))).results()
                .map(row -> row.group(1))
                .collect(Collectors.toSet());
        assertThat(ManagementFactory.getPlatformMBeanServer().queryNames(new ObjectName("io.eyrie:*"), null)).hasSizeGreaterThan(6)
                .allSatisfy(name -> {
                    assertThat(name.getDomain()).isEqualTo("io.eyrie");
                    assertThat(name.getCanonicalKeyPropertyListString()).contains("name=", "type=");
                    assertThat(documented).contains(name.getKeyProperty("type"));
                });
    }

    @Test
    void countersOfTheFooterCachesAndTheirSwitches()
            throws IOException,
            JMException
    {
        Connector connector = start("footed", guide());
        assertThat(connector.getSessionProperties()).extracting(PropertyMetadata::getName).contains(
                "orc_file_tail_cache_enabled",
                "orc_stripe_metadata_cache_enabled",
                "orc_row_group_index_cache_enabled",
                "parquet_metadata_cache_enabled");
        ObjectName name = new ObjectName("io.eyrie:type=FooterCaches,name=footed");
        MBeanAttributeInfo[] attributes = ManagementFactory.getPlatformMBeanServer().getMBeanInfo(name).getAttributes();
        for (String kind : List.of("OrcFileTail", "OrcStripeFooter", "OrcStripeStream", "OrcRowGroupIndex", "ParquetFooter")) {
            assertThat(Stream.of(attributes).map(attribute -> attribute.getName().toLowerCase(Locale.ROOT)))
                    .containsAll(Stream.of(FooterStats.class.getRecordComponents())
                            .map(component -> (kind + "." + component.getName()).toLowerCase(Locale.ROOT))
                            .toList());
        }
    }

    @Test
    void everyCounterOfFragmentResultsIsAnAttribute()
            throws IOException,
            JMException
    {
        Connector connector = start("leaves", guide());
        assertThat(connector.getSessionProperties()).filteredOn(property -> property.getName().equals("fragment_result_cache_enabled"))
                .singleElement().extracting(PropertyMetadata::getDefaultValue).isEqualTo(true);
        MBeanAttributeInfo[] attributes = ManagementFactory.getPlatformMBeanServer()
                .getMBeanInfo(new ObjectName("io.eyrie:type=FragmentCache,name=leaves"))
                .getAttributes();
        Stream<String> plans = Stream.concat(
                Stream.of("AcceptedLeaves", "RefusedLeaves", "RangesScanned", "ProofFailures", "AcceptedJoins", "RefusedJoins", "JoinBuilds",
                        "JoinBuildsStreamed", "CurrentBuildSideBytes"),
                Stream.concat(
                        Stream.of(Refusal.values()).map(reason -> "Refused" + reason.name().replace("_", "")),
                        Stream.of(JoinRefusal.values()).map(reason -> "RefusedJoins" + reason.name().replace("_", ""))));
        Stream<String> results = Stream.concat(
                Stream.of(FragmentStats.class.getRecordComponents()).map(RecordComponent::getName).filter(name -> !name.equals("abandoned")),
                Stream.of(Abandonment.values()).map(reason -> "Abandoned" + reason.name().replace("_", "")));
        assertThat(Stream.of(attributes).map(attribute -> attribute.getName().toLowerCase(Locale.ROOT)))
                .containsExactlyInAnyOrderElementsOf(Stream.concat(plans, results).map(name -> name.toLowerCase(Locale.ROOT)).toList());
    }

    @Test
    void countersOfTheMetastoreCacheOfAHiveMetastore()
            throws JMException
    {
        Map<String, String> properties = Map.of(
                "hive.metastore", "thrift", "hive.metastore.uri", "thrift://127.0.0.1:1", "hive.metastore-cache-ttl", "2d");
        started.add(new EyrieConnectorFactory().create("metadata", properties, new TestingConnectorContext()));

        ObjectName name = metastoreCache("metadata");
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        assertThat(Stream.of(server.getMBeanInfo(name).getAttributes()).map(MBeanAttributeInfo::getName)).hasSize(25)
                .contains("Lookups", "Hits", "Misses", "Bypasses", "BoundDrops", "LogReadings", "LogGraceReadings", "LogOverdueReadings",
                        "LogLongEvents");
        assertThat(server.getAttribute(name, "Lookups")).isEqualTo(0L);
    }

    @Test
    void metastoresWithoutALogAreCachedToo()
            throws Exception
    {
        Map<String, Map<String, String>> catalogs = Map.of(
                "files", Map.of("hive.metastore", "file", "hive.metastore.catalog.dir", directory.toUri().toString()),
                "glue", Map.of("hive.metastore", "glue", "hive.metastore.glue.region", "us-east-1"));
        for (Map.Entry<String, Map<String, String>> catalog : catalogs.entrySet()) {
            Map<String, String> properties = new HashMap<>(catalog.getValue());
            properties.put("hive.metastore-cache-ttl", "2d");
            started.add(new EyrieConnectorFactory().create(catalog.getKey(), properties, new TestingConnectorContext()));
            assertThat(ManagementFactory.getPlatformMBeanServer().getAttribute(metastoreCache(catalog.getKey()), "Lookups")).isEqualTo(0L);
        }
    }

    @Test
    void noMetastoreCacheThatNobodyAskedFor()
            throws Exception
    {
        Map<String, Map<String, String>> catalogs = Map.of(
                "barefile", Map.of("hive.metastore", "file", "hive.metastore.catalog.dir", directory.toUri().toString()),
                "barethrift", Map.of("hive.metastore", "thrift", "hive.metastore.uri", "thrift://127.0.0.1:1"));
        for (Map.Entry<String, Map<String, String>> catalog : catalogs.entrySet()) {
            started.add(new EyrieConnectorFactory().create(catalog.getKey(), catalog.getValue(), new TestingConnectorContext()));
            ObjectName name = metastoreCache(catalog.getKey());
            assertThatThrownBy(() -> ManagementFactory.getPlatformMBeanServer().getMBeanInfo(name)).isInstanceOf(InstanceNotFoundException.class);
        }
    }

    private static ObjectName metastoreCache(String catalog)
            throws MalformedObjectNameException
    {
        return new ObjectName("io.eyrie:type=MetastoreCache,name=" + catalog);
    }

    @Test
    void cacheIsOffUnlessEnabled()
    {
        assertThat(start("hive", Map.of()).getSessionProperties()).filteredOn(property -> property.getName().equals("cache_enabled"))
                .singleElement().extracting(PropertyMetadata::getDefaultValue).isEqualTo(false);
    }

    @Test
    void unknownProperty()
    {
        assertThatThrownBy(() -> start("hive", Map.of("hive.no-such-property", "1")))
                .isInstanceOfSatisfying(PrestoException.class, e -> assertThat(e.getErrorCode()).isEqualTo(CONFIGURATION_INVALID.toErrorCode()))
                .hasMessageStartingWith("Catalog hive: hive.no-such-property is 1: neither Eyrie nor Presto's Hive connector has");
    }

    @Test
    void refusedStartNamesEverythingThatIsWrong()
    {
        Path missing = directory.resolve("missing");
        assertRefused(
                Map.of("cache.enabled", "true", "cache.base-directory", missing.toString(), "cache.page-size", "100kB", "hive.no-such-property", "1"),
                "3 errors:", "- cache.base-directory is " + missing, "- cache.page-size is 100kB", "- hive.no-such-property is 1");
        assertRefused(
                Map.of("hive.no-such-property", "1", "hive.max-split-size", "much"),
                "2 errors:", "- hive.no-such-property is 1", "Could not coerce value 'much'", "property 'hive.max-split-size'");
    }

    @Test
    void startNamesTheVersion()
    {
        assertThat(logged(() -> start("hive", Map.of()))).extracting(LogRecord::getMessage).anyMatch(line -> line.matches(
                "Catalog hive: Eyrie .+ on Presto 0\\.296"));
    }

    @Test
    void cacheEnabledTurnsOnEveryLayerThatChangesNoAnswer()
            throws JMException
    {
        Connector connector = start("all", Map.of("cache.enabled", "true", "cache.base-directory", flash.toString()));
        assertThat(ManagementFactory.getPlatformMBeanServer().getAttribute(metastoreCache("all"), "Lookups")).isEqualTo(0L);
        assertThat(connector.getSessionProperties()).filteredOn(property -> Set.of("cache_enabled", "fragment_result_cache_enabled",
                "node_selection_strategy").contains(property.getName())).extracting(property -> String.valueOf(property.getDefaultValue()))
                .containsExactlyInAnyOrder("true", "true", "SOFT_AFFINITY");

        Connector few = start("few", Map.of(
                "cache.enabled", "true",
                "cache.base-directory", flash.toString(),
                "hive.metastore-cache-ttl", "0s",
                "fragment-result-cache.enabled", "false",
                "hive.node-selection-strategy", "NO_PREFERENCE"));
        assertThatThrownBy(() -> ManagementFactory.getPlatformMBeanServer().getMBeanInfo(metastoreCache("few"))).isInstanceOf(
                InstanceNotFoundException.class);
        assertThat(few.getSessionProperties()).filteredOn(property -> Set.of("cache_enabled", "fragment_result_cache_enabled",
                "node_selection_strategy").contains(property.getName())).extracting(property -> String.valueOf(property.getDefaultValue()))
                .containsExactlyInAnyOrder("true", "false", "NO_PREFERENCE");
    }

    @Test
    void encryptionDoesNotEndTheChangesOfOperators()
            throws IOException
    {
        Path key = Files.writeString(directory.resolve("key"), "00".repeat(32));
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
        Files.writeString(Files.createDirectories(flash.resolve("control")).resolve("hive.json"), "{}");
        Map<String, String> properties = new HashMap<>(guide());
        properties.put("cache.encryption-key-file", key.toString());
        assertThatThrownBy(() -> start("hive", properties)).hasMessageContainingAll("Catalog hive: cache.control-directory: ",
                "hive.json has the rules",
                "To fix: move the file");
    }

    @Test
    void findingsAreLoggedAndStopNothing()
            throws IOException
    {
        Map<String, String> properties = new HashMap<>(guide());
        properties.put("hive.node-selection-strategy", "NO_PREFERENCE");
        List<LogRecord> records = logged(() -> {
            start("hive", properties);
            assertThatThrownBy(() -> start("lake", Map.of("cache.write-bufer", "1MB"))).hasMessageContaining("cache.write-bufer");
        });
        assertThat(records).filteredOn(record -> record.getLevel().equals(Level.WARNING)).extracting(LogRecord::getMessage)
                .anyMatch(line -> line.startsWith("Catalog hive: hive.node-selection-strategy is NO_PREFERENCE: affinity is off"));
        assertThat(records).filteredOn(record -> record.getLevel().equals(Level.INFO)).extracting(LogRecord::getMessage)
                .filteredOn(line -> line.contains("cache.max-memory") && line.contains("fetches 256MB to ")).hasSize(1);
        assertThat(records).filteredOn(record -> record.getLevel().equals(Level.SEVERE)).extracting(LogRecord::getMessage)
                .anyMatch(line -> line.startsWith("Catalog lake: cache.write-bufer is 1MB") && line.contains("To fix: write cache.write-buffer"));
    }

    @Test
    void checkThatHangsDoesNotHoldUpTheStart()
            throws InterruptedException
    {
        CountDownLatch disk = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        EyrieConnectorFactory.finishOrGoOn(() -> {
            try {
                disk.await();
            }
            catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            done.countDown();
        }, 10);
        assertThat(done.getCount()).isEqualTo(1);
        disk.countDown();
        assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
    }

    private static List<LogRecord> logged(Runnable action)
    {
        List<LogRecord> records = Collections.synchronizedList(new ArrayList<>());
        Logger logger = Logger.getLogger(EyrieConnectorFactory.class.getName());
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord record)
            {
                records.add(record);
            }

            @Override
            public void flush()
            {}

            @Override
            public void close()
            {}
        };
        logger.addHandler(handler);
        try {
            action.run();
        }
        finally {
            logger.removeHandler(handler);
        }
        return records;
    }

    @Test
    void missingBaseDirectory()
    {
        Path missing = directory.resolve("missing");

        assertRefused(Map.of("cache.enabled", "true", "cache.base-directory", missing.toString()), "cache.base-directory is " + missing, "To fix: ");
    }

    @Test
    void oneMissingDirectoryOfTwoLeavesTheCatalogDegraded()
            throws JMException
    {
        String directories = flash + "," + directory.resolve("gone");
        start("degraded", Map.of("cache.enabled", "true", "cache.base-directory", directories));

        assertThat(ManagementFactory.getPlatformMBeanServer().getAttribute(
                new ObjectName("io.eyrie:type=DataCache,name=degraded"), "CurrentQuarantinedDirectories")).isEqualTo(1);
    }

    @Test
    void oneDirectoryWithContradictorySettings()
    {
        start("hive", Map.of("cache.enabled", "true", "cache.base-directory", flash.toString(), "cache.max-cache-size", "1GB"));

        List<LogRecord> records = logged(() -> assertRefused(
                Map.of("cache.enabled", "true", "cache.base-directory", flash.toString(), "cache.max-cache-size", "2GB", "cache.ttl", "2d"),
                flash.toString(), "To fix: "));
        assertThat(records).filteredOn(record -> record.getLevel().equals(Level.SEVERE)).extracting(LogRecord::getMessage)
                .anyMatch(line -> line.startsWith("Catalog lake: cache.max-cache-size is 2GB: catalog hive has 1GB"))
                .anyMatch(line -> line.startsWith("Catalog lake: cache.ttl is 2d: catalog hive has 0"));

        started.remove(0).shutdown();
        assertThat(logged(() -> start("lake", Map.of("cache.enabled", "true", "cache.base-directory", flash.toString(), "cache.max-cache-size",
                "2GB"))))
                .noneMatch(record -> record.getLevel().equals(Level.SEVERE));
    }

    @Test
    void engineOfAlluxiosClient()
    {
        Map<String, String> properties = Map.of("cache.enabled", "true", "cache.base-directory", flash.toString(), "cache.type", "ALLUXIO_CLIENT");
        start("hive", properties);
        assertThat(flash.resolve("LOCAL")).isDirectory();
        assertRefused(properties, "cache.base-directory is " + flash, "Alluxio's client cannot share it", "To fix: give every catalog");
    }

    @Test
    void badValueOfALayerThatIsNotBuilt()
    {
        assertRefused(
                Map.of("hive.partition-statistics-based-optimization-enabled", "maybe"),
                "hive.partition-statistics-based-optimization-enabled is 'maybe'", "true or false", "To fix: ");
    }

    @Test
    void badValueOfFragmentResults()
    {
        assertRefused(
                Map.of("fragment-result-cache.block-encoding-compression-codec", "ZSTD"),
                "fragment-result-cache.block-encoding-compression-codec is ZSTD", "To fix: set it to LZ4");
    }

    /* Without its name, splits of a sampled scan would be packed, and TABLESAMPLE would return another sample. */
    @Test
    void engineWithoutAClassThatEyrieRecognizesByName()
    {
        ClassLoader engine = new ClassLoader(EyrieConnectorFactoryTest.class.getClassLoader()) {
            @Override
            public Class<?> loadClass(String name)
                    throws ClassNotFoundException
            {
                if (name.equals("com.facebook.presto.split.SampledSplitSource")) {
                    throw new ClassNotFoundException(name);
                }
                return super.loadClass(name);
            }
        };
        Map<String, String> properties = Map.of("hive.metastore", "file", "hive.metastore.catalog.dir", directory.toUri().toString());
        assertThatThrownBy(() -> new EyrieConnectorFactory().create("lake", properties, new TestingConnectorContext(engine)))
                .isInstanceOfSatisfying(PrestoException.class, e -> assertThat(e.getErrorCode()).isEqualTo(NOT_SUPPORTED.toErrorCode()))
                .hasMessageStartingWith("Catalog lake: This Presto (0.296) does not fit Eyrie, which supports 0.296: ")
                .hasMessageContainingAll("com.facebook.presto.split.SampledSplitSource", "getNextBatch");
    }

    @Test
    void engineWithoutAMember()
    {
        Throwable lookup = new ExceptionInInitializerError(new UnsupportedHostException("Host has no field gone"));
        assertThat(EyrieConnectorFactory.refused("lake", "0.297", lookup, List.of())).isInstanceOf(PrestoException.class).hasMessage(
                "Catalog lake: This Presto (0.297) does not fit Eyrie, which supports 0.296: Host has no field gone");
        assertThat(EyrieConnectorFactory.refused("lake", "0.297", new NoSuchMethodError("Host.gone()"), List.of())).hasMessageContaining(
                "Host.gone()");
        UnsatisfiedLinkError another = new UnsatisfiedLinkError("no library");
        assertThatThrownBy(() -> EyrieConnectorFactory.refused("lake", "0.297", another, List.of())).isSameAs(another);
    }

    @Test
    void rangerIsOnTheTestsClassPathButNotInEveryFolder()
    {
        ClassLoader without = ClassLoader.getPlatformClassLoader();

        assertThatThrownBy(() -> LeftOutJars.check(Map.of("hive.security", "ranger"), without))
                .hasMessageContainingAll("hive.security is ranger", "ranger-apache-", "To fix: ");
        LeftOutJars.check(Map.of("hive.security", "ranger"), EyrieConnectorFactoryTest.class.getClassLoader());
        LeftOutJars.check(Map.of("hive.security", "sql-standard"), without);
    }

    private void assertRefused(Map<String, String> properties, String... parts)
    {
        assertThatThrownBy(() -> start("lake", properties))
                .isInstanceOfSatisfying(PrestoException.class, e -> assertThat(e.getErrorCode()).isEqualTo(CONFIGURATION_INVALID.toErrorCode()))
                .hasMessageStartingWith("Catalog lake: ")
                .hasMessageContainingAll(parts);
    }

    private Connector start(String catalog, Map<String, String> properties)
    {
        Map<String, String> all = new HashMap<>(properties);
        all.put("hive.metastore", "file");
        all.put("hive.metastore.catalog.dir", directory.resolve("metastore").toUri().toString());
        Connector connector = new EyrieConnectorFactory().create(catalog, all, new TestingConnectorContext());
        started.add(connector);
        return connector;
    }

    /* Returns the guide's properties verbatim, except for its directory, where a test must not write pages. */
    private Map<String, String> guide()
            throws IOException
    {
        Properties guide = new Properties();
        try (InputStream in = EyrieConnectorFactoryTest.class.getResourceAsStream("/raptorx-user-guide.properties")) {
            guide.load(requireNonNull(in));
        }
        Map<String, String> properties = new HashMap<>();
        guide.stringPropertyNames().forEach(name -> properties.put(name, guide.getProperty(name)));
        assertThat(properties.put("cache.base-directory", flash.toUri().toString())).isEqualTo("file:///mnt/flash/data");
        return properties;
    }
}
