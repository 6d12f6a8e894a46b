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

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
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
            throws IOException
    {
        Configuration remote = new Configuration(false);
        remote.set("fs.memory.impl", AnyMemoryFileSystem.class.getName());
        remote.set("fs.memory.impl.disable.cache", "true");
        HdfsConfiguration configurations = caching((context, uri) -> remote);
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
            for (int round = 0; round < 2; round++) {
                for (int store = 0; store < 1_500; store++) {
                    URI uri = URI.create("memory://store-" + store);
                    FileSystem fileSystem = ((FileSystemFactory) configurations.getConfiguration(context(true), uri)).createFileSystem(uri);
                    assertThat(fileSystem).isInstanceOf(PageCacheFileSystem.class);
                }
            }
        }
        finally {
            logger.setUseParentHandlers(true);
            logger.removeHandler(handler);
        }
        assertThat(logged).hasSize(1_000).allMatch(line -> line.contains("have no entity tags"));
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
            store = name;
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
