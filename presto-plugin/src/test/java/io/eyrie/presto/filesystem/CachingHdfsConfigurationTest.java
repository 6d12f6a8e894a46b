// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.filesystem;

import com.facebook.presto.hadoop.FileSystemFactory;
import com.facebook.presto.hive.CopyOnFirstWriteConfiguration;
import com.facebook.presto.hive.HdfsConfiguration;
import com.facebook.presto.hive.HdfsContext;
import com.facebook.presto.hive.HiveClientConfig;
import com.facebook.presto.hive.HiveCompressionCodec;
import com.facebook.presto.hive.util.ConfigurationUtils;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.security.ConnectorIdentity;
import io.eyrie.cache.page.CacheMode;
import io.eyrie.presto.catalog.CatalogName;
import io.eyrie.presto.config.AccessCheckConfig;
import io.eyrie.presto.config.CatalogSettings;
import io.eyrie.presto.config.FileHandlesConfig;
import io.eyrie.presto.ledger.Ledger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.HadoopExtendedFileSystemCache;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

import static org.assertj.core.api.Assertions.assertThat;

class CachingHdfsConfigurationTest
{
    private static final URI STORE = URI.create("hdfs://namenode");
    private static final String SCHEMA = "avro.schema.literal";

    static {
        // as Presto does before it opens a file system: Hadoop's own cache, once used, stays for the tests that follow in this JVM
        HadoopExtendedFileSystemCache.initialize();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatAWriterPutsIntoItsConfigurationReachesNoOther(boolean cached)
    {
        Configuration ofThread = new Configuration(false);
        ofThread.set("fs.defaultFS", STORE.toString());
        HdfsConfiguration configurations = caching((context, uri) -> ofThread);

        Configuration written = ConfigurationUtils.configureCompression(configurations.getConfiguration(context(cached), STORE),
                HiveCompressionCodec.GZIP);
        written.set(SCHEMA, "of this table");
        Configuration read = configurations.getConfiguration(context(cached), STORE);
        read.set("hive.io.file.readcolumn.ids", "1");

        assertThat(written.get(SCHEMA)).isEqualTo("of this table");
        assertThat(read.get("fs.defaultFS")).isEqualTo(STORE.toString());
        assertThat(read.get(SCHEMA)).isNull();
        assertThat(ofThread).as("the thread's own").hasSize(1);
        assertThat(configurations.getConfiguration(context(cached), STORE)).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatIsCopiedWhenWrittenAlreadyLosesNothing(boolean cached)
    {
        Configuration shared = new Configuration(false);
        shared.set("fs.defaultFS", STORE.toString());
        HdfsConfiguration configurations = caching((context, uri) -> new CopyOnFirstWriteConfiguration(shared));

        Configuration written = configurations.getConfiguration(context(cached), STORE);
        written.set(SCHEMA, "of this table");

        assertThat(written.get("fs.defaultFS")).isEqualTo(STORE.toString());
        assertThat(shared).hasSize(1);
        assertThat(configurations.getConfiguration(context(cached), STORE).get(SCHEMA)).isNull();
    }

    @Test
    void storesThatUsersNameAreLoggedUpToABound()
    {
        Configuration remote = new Configuration(false);
        remote.set("fs.memory.impl", AnyMemoryFileSystem.class.getName());
        remote.set("fs.memory.impl.disable.cache", "true");
        HdfsConfiguration configurations = caching((context, uri) -> remote);
        List<String> logged = logged(() -> {
            for (int round = 0; round < 2; round++) {
                for (int store = 0; store < 1_500; store++) {
                    assertThat(open(configurations, "memory://store-" + store)).isInstanceOf(PageCacheFileSystem.class);
                }
            }
        });
        assertThat(logged).hasSize(1_000).allMatch(line -> line.contains("have no entity tags"));
    }

    @Test
    void storeWithEncryptionZonesIsLoggedOnce()
    {
        Configuration remote = new Configuration(false);
        remote.set("fs.viewfs.impl", AnyMemoryFileSystem.class.getName());
        remote.set("fs.viewfs.impl.disable.cache", "true");
        remote.set("dfs.encryption.key.provider.uri", "kms://http@kms:9600/kms");
        HdfsConfiguration configurations = caching((context, uri) -> remote);
        List<String> logged = logged(() -> {
            for (int file = 0; file < 3; file++) {
                assertThat(open(configurations, "viewfs://mounts/table/" + file)).isNotInstanceOf(PageCacheFileSystem.class);
            }
        });
        assertThat(logged).singleElement().asString().contains("files of viewfs://mounts are not cached");
    }

    /* Hadoop's configuration keeps the class loader of the thread that first asks for it. */
    @Test
    void configurationOfAThreadOfTheEngineLoadsThePluginsClasses()
            throws Exception
    {
        List<ClassLoader> loaders = new ArrayList<>();
        HdfsConfiguration configurations = caching((context, uri) -> {
            Configuration created = new Configuration(false);
            loaders.add(created.getClassLoader());
            return created;
        });
        FutureTask<Configuration> planning = new FutureTask<>(() -> configurations.getConfiguration(context(true), STORE));
        Thread thread = new Thread(planning);
        thread.setContextClassLoader(new URLClassLoader(new URL[0], null));
        thread.start();
        assertThat(planning.get()).isNotNull();
        assertThat(loaders).containsOnly(CachingHdfsConfiguration.class.getClassLoader());
    }

    private static FileSystem open(HdfsConfiguration configurations, String file)
    {
        URI uri = URI.create(file);
        return ((FileSystemFactory) configurations.getConfiguration(context(true), uri)).createFileSystem(uri);
    }

    private static List<String> logged(Runnable action)
    {
        List<String> logged = new ArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord record)
            {
                logged.add(record.getMessage());
            }

            @Override
            public void flush()
            {}

            @Override
            public void close()
            {}
        };
        Logger logger = Logger.getLogger(CachingHdfsConfiguration.class.getName());
        logger.addHandler(handler);
        logger.setUseParentHandlers(false);
        try {
            action.run();
        }
        finally {
            logger.setUseParentHandlers(true);
            logger.removeHandler(handler);
        }
        return logged;
    }

    /** The store that the URI names. */
    static final class AnyMemoryFileSystem
            extends MemoryFileSystem
    {
        private URI store = STORE;

        AnyMemoryFileSystem()
        {
            super(STORE.toString());
        }

        @Override
        public void initialize(URI name, Configuration configuration)
        {
            store = URI.create(name.getScheme() + "://" + name.getAuthority());
        }

        @Override
        public URI getUri()
        {
            return store;
        }
    }

    private static HdfsConfiguration caching(HdfsConfiguration delegate)
    {
        return new CachingHdfsConfiguration(
                delegate,
                new RecordingPageCache(),
                new FileHandles(new FileHandlesConfig()),
                new StoreIds(new HiveClientConfig(), Set.of(), new CatalogSettings(Map.of(), Map.of())),
                new CatalogName("eyrie"),
                new CachingHdfsConfiguration.Attendants(new QueryBudgets(OptionalLong.empty()), new Ledger("eyrie"), new AccessChecks(
                        new AccessCheckConfig())));
    }

    private static HdfsContext context(boolean cached)
    {
        ConnectorIdentity user = new ConnectorIdentity("user", Optional.empty(), Optional.empty());
        ConnectorSession session = (ConnectorSession) Proxy.newProxyInstance(
                ConnectorSession.class.getClassLoader(),
                new Class<?>[] {ConnectorSession.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "getProperty" -> arguments[1] == Boolean.class ? cached : CacheMode.READ_WRITE;
                    case "getIdentity" -> user;
                    case "getQueryId" -> "query";
                    case "getClientTags" -> Set.of();
                    default -> Optional.empty();
                });
        return new HdfsContext(session, "schema", "table", STORE + "/table", false);
    }
}
