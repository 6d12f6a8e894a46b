// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.hive.HdfsConfiguration;
import com.facebook.presto.hive.HdfsEnvironment;
import com.facebook.presto.hive.HiveClientConfig;
import com.facebook.presto.hive.HiveStorageFormat;
import com.facebook.presto.hive.MetastoreClientConfig;
import com.facebook.presto.hive.authentication.NoHdfsAuthentication;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.security.ConnectorIdentity;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.presto.config.AccessCheckConfig;
import io.eyrie.presto.config.CatalogSettings;
import io.eyrie.presto.filesystem.AccessChecks;
import io.eyrie.presto.filesystem.StoreIds;
import io.eyrie.presto.handle.HiveSplits;
import io.eyrie.presto.proxy.Proxies;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.crypto.DecryptionPropertiesFactory;
import org.apache.parquet.crypto.FileDecryptionProperties;
import org.apache.parquet.crypto.ParquetCryptoRuntimeException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;

class SplitVersionsTest
{
    private static final String KEYS = "test.keys";

    /** Has the keys that the configuration names. */
    public static final class KeysOfConfiguration
            implements DecryptionPropertiesFactory
    {
        @Override
        @Nullable
        public FileDecryptionProperties getFileDecryptionProperties(Configuration configuration, Path file)
        {
            return switch (configuration.get(KEYS, "none")) {
                case "granted" -> FileDecryptionProperties.builder().withFooterKey(new byte[16]).build();
                case "refused" -> throw new ParquetCryptoRuntimeException("no right to the keys");
                default -> null;
            };
        }
    }

    @Test
    void fileThatIsReadWithKeysHasNoResults()
    {
        assertThat(version(HiveStorageFormat.PARQUET, keys("granted"))).isEmpty();
        assertThat(version(HiveStorageFormat.PARQUET, keys("refused"))).as("the reader, which asks again, fails").isEmpty();
    }

    @Test
    void fileThatIsReadWithoutKeysHasResults()
    {
        assertThat(version(HiveStorageFormat.PARQUET, keys("none"))).isPresent();
        assertThat(version(HiveStorageFormat.PARQUET, new Configuration(false))).isPresent();
        assertThat(version(HiveStorageFormat.ORC, keys("granted"))).as("not Parquet").isPresent();
    }

    private static Configuration keys(String keys)
    {
        Configuration configuration = new Configuration(false);
        configuration.set(DecryptionPropertiesFactory.CRYPTO_FACTORY_CLASS_PROPERTY_NAME, KeysOfConfiguration.class.getName());
        configuration.set(KEYS, keys);
        return configuration;
    }

    private static Optional<FileVersion> version(HiveStorageFormat format, Configuration configuration)
    {
        HdfsConfiguration configurations = (context, uri) -> configuration;
        SplitVersions versions = new SplitVersions(
                configurations,
                new HdfsEnvironment(configurations, new MetastoreClientConfig(), new NoHdfsAuthentication()),
                new StoreIds(new HiveClientConfig(), Set.of(), new CatalogSettings(Map.of(), Map.of())),
                new AccessChecks(new AccessCheckConfig()));
        ConnectorIdentity user = new ConnectorIdentity("user", Optional.empty(), Optional.empty());
        ConnectorSession session = Proxies.of(ConnectorSession.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "getIdentity" -> user;
            case "getQueryId" -> "query";
            case "getClientTags" -> Set.of();
            default -> Optional.empty();
        });
        return versions.of(session, HiveSplits.of("hdfs://namenode/table/file", format), new SplitKeysTest.QueryOverSplit().layout());
    }
}
