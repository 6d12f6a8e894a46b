// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.filesystem;

import com.facebook.presto.hive.CopyOnFirstWriteConfiguration;
import com.facebook.presto.hive.HdfsConfiguration;
import com.facebook.presto.hive.HdfsContext;
import com.facebook.presto.hive.HiveClientConfig;
import com.facebook.presto.hive.HiveCompressionCodec;
import com.facebook.presto.hive.util.ConfigurationUtils;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.security.ConnectorIdentity;
import io.eyrie.presto.catalog.CatalogName;
import io.eyrie.presto.config.AccessCheckConfig;
import io.eyrie.presto.config.CatalogSettings;
import io.eyrie.presto.config.FileHandlesConfig;
import io.eyrie.presto.ledger.Ledger;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.reflect.Proxy;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;

class CachingHdfsConfigurationTest
{
    private static final URI STORE = URI.create("hdfs://namenode");
    private static final String SCHEMA = "avro.schema.literal";

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
                    case "getProperty" -> cached;
                    case "getIdentity" -> user;
                    case "getQueryId" -> "query";
                    case "getClientTags" -> Set.of();
                    default -> Optional.empty();
                });
        return new HdfsContext(session, "schema", "table", STORE + "/table", false);
    }
}
