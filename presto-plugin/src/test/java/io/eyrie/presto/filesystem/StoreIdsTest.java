// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.filesystem;

import com.facebook.presto.hive.DynamicConfigurationProvider;
import com.facebook.presto.hive.HiveClientConfig;
import com.facebook.presto.hive.gcs.GcsConfigurationProvider;
import io.eyrie.cache.file.StoreId;
import io.eyrie.presto.config.CatalogSettings;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static com.facebook.presto.hive.gcs.GcsAccessTokenProvider.GCS_ACCESS_TOKEN_CONF;
import static org.assertj.core.api.Assertions.assertThat;

class StoreIdsTest
{
    private static final URI BUCKET = URI.create("s3a://bucket");
    private static final Set<DynamicConfigurationProvider> STOCK = Set.of(new GcsConfigurationProvider());

    @Test
    void sameBucketOfAnotherEndpointIsAnotherStore()
    {
        StoreIds ids = stores(new HiveClientConfig(), STOCK);
        assertThat(ids.of(BUCKET, endpoint("http://one:9000"), "alice")).isEqualTo(StoreId.shared("s3://http://one:9000"));
        assertThat(ids.of(BUCKET, endpoint("http://two:9000"), "alice")).isEqualTo(StoreId.shared("s3://http://two:9000"));
        assertThat(ids.of(BUCKET, new Configuration(false), "alice")).isEqualTo(StoreId.shared("s3://aws"));
        assertThat(ids.of(URI.create("hdfs://namenode:8020"), new Configuration(false), "alice")).isEqualTo(StoreId.shared("hdfs://namenode:8020"));
    }

    @Test
    void usersWithRightsOfTheirOwnShareNothing()
    {
        StoreIds impersonating = stores(new HiveClientConfig().setHdfsImpersonationEnabled(true), STOCK);
        assertThat(impersonating.of(URI.create("hdfs://namenode"), new Configuration(false), "alice")).isEqualTo(new StoreId("hdfs://namenode",
                "alice"));

        DynamicConfigurationProvider mapping = (configuration, context, uri) -> {};
        StoreIds mapped = stores(new HiveClientConfig(), Set.of(new GcsConfigurationProvider(), mapping));
        assertThat(mapped.of(BUCKET, endpoint("e"), "bob")).isEqualTo(new StoreId("s3://e", "bob"));

        Configuration token = new Configuration(false);
        token.set(GCS_ACCESS_TOKEN_CONF, "secret");
        assertThat(stores(new HiveClientConfig(), STOCK).of(URI.create("gs://bucket"), token, "carol")).isEqualTo(new StoreId("gs://bucket",
                "carol"));
    }

    @Test
    void credentialOfASessionIsAHash()
    {
        Configuration token = new Configuration(false);
        assertThat(StoreIds.credential(token)).isEmpty();
        token.set(GCS_ACCESS_TOKEN_CONF, "secret");
        assertThat(StoreIds.credential(token)).matches("[0-9a-f]{64}");
    }

    @Test
    void localFilesAndWhatTheClientEncryptsAreNotCached()
    {
        Configuration plain = new Configuration(false);
        assertThat(StoreIds.isCacheable(URI.create("file:///data"), plain)).isFalse();
        assertThat(StoreIds.isCacheable(BUCKET, plain)).isTrue();
        for (String property : List.of("presto.s3.kms-key-id", "presto.s3.encryption-materials-provider")) {
            Configuration encrypting = new Configuration(false);
            encrypting.set(property, "something");
            assertThat(StoreIds.isCacheable(BUCKET, encrypting)).isFalse();
            assertThat(StoreIds.isCacheable(URI.create("hdfs://namenode"), encrypting)).isTrue();
        }
    }

    @Test
    void storesWhoseClientOrServerMayDecryptEncryptionZonesAreNotCached()
    {
        Configuration keys = new Configuration(false);
        keys.set("dfs.encryption.key.provider.uri", "kms://https@kms:9600/kms");
        for (String store : List.of("hdfs://namenode", "HDFS://namenode", "viewfs://cluster", "har://hdfs-namenode")) {
            assertThat(StoreIds.isCacheable(URI.create(store), keys)).as(store).isFalse();
            assertThat(StoreIds.isCacheable(URI.create(store), new Configuration(false))).as(store).isTrue();
        }
        for (String store : List.of("s3://bucket", "gs://bucket", "abfss://container@account", "wasb://container@account", "adl://account")) {
            assertThat(StoreIds.isCacheable(URI.create(store), keys)).as(store).isTrue();
        }
        for (String store : List.of("webhdfs://namenode", "swebhdfs://namenode", "hftp://namenode", "hsftp://namenode")) {
            assertThat(StoreIds.isCacheable(URI.create(store), new Configuration(false))).as(store).isFalse();
        }
    }

    @Test
    void schemesOfS3()
    {
        assertThat(StoreIds.isS3(URI.create("S3://bucket"))).isTrue();
        assertThat(StoreIds.isS3(URI.create("hdfs://namenode"))).isFalse();
    }

    @Test
    void catalogsWithOtherCredentialsShareNothing(@TempDir Path directory)
            throws IOException
    {
        Path ann = Files.writeString(directory.resolve("ann"), "{\"private_key\": \"one\", \"client_email\": \"ann@project\"}");
        Path annAgain = Files.writeString(directory.resolve("again"), "{\"private_key\": \"two\", \"client_email\" : \"ann@project\"}");
        Path bob = Files.writeString(directory.resolve("bob"), "{\"client_email\": \"bob@project\"}");
        String gcs = "fs.gs.auth.service.account.json.keyfile";
        String azure = "abfss://container@account.dfs.core.windows.net";
        assertSame("s3a://bucket", Map.of(), Map.of("presto.s3.secret-key", "secret"));
        assertSame("s3a://bucket", Map.of("presto.s3.access-key", "a", "presto.s3.secret-key", "1"), Map.of("presto.s3.access-key", "a",
                "presto.s3.secret-key", "2"));
        assertSame("gs://bucket", Map.of(gcs, ann.toString()), Map.of(gcs, annAgain.toString()));
        String accountKey = "fs.azure.account.key.account.dfs.core.windows.net";
        assertSame(azure, Map.of(accountKey, "old"), Map.of(accountKey, "new"));

        assertOthers("s3a://bucket", List.of(Map.of("presto.s3.access-key", "a"), Map.of("presto.s3.access-key", "b"), Map.of(
                "presto.hive.s3.iam-role", "a"),
                Map.of("presto.s3.credentials-provider", "a"), Map.of("fs.s3a.access.key", "a"), Map.of("fs.s3a.bucket.bucket.access.key", "b"), Map
                        .of()));
        assertOthers("gs://bucket", List.of(Map.of(gcs, ann.toString()), Map.of(gcs, bob.toString()), Map.of(gcs, "/no/such/file"), Map.of()));
        assertOthers(azure, List.of(Map.of(accountKey, "old"), Map.of("fs.azure.account.oauth2.client.id", "a"), Map.of(
                "fs.azure.account.oauth2.client.id.account.dfs.core.windows.net", "b"), Map.of()));
        URI hdfs = URI.create("hdfs://namenode");
        assertThat(new StoreIds(new HiveClientConfig(), STOCK, new CatalogSettings(Map.of("hive.hdfs.presto.principal", "ann@REALM"), Map.of()))
                .of(hdfs, new Configuration(false), "user")).isNotEqualTo(stores(new HiveClientConfig(), STOCK).of(hdfs, new Configuration(false),
                        "user"));
    }

    @Test
    void whatNamesTheCredentialsIsNotShown()
    {
        StoreId id = id("s3a://bucket", Map.of("presto.s3.access-key", "AKIAEXAMPLE"));
        assertThat(id.endpoint()).matches("s3://aws#[0-9a-f]{16}").doesNotContain("AKIA");
        assertThat(id.principal()).as("users of one catalog share").isEmpty();
    }

    private static void assertSame(String uri, Map<String, String> one, Map<String, String> other)
    {
        assertThat(id(uri, one)).isEqualTo(id(uri, other));
    }

    private static void assertOthers(String uri, List<Map<String, String>> catalogs)
    {
        assertThat(catalogs.stream().map(catalog -> id(uri, catalog))).doesNotHaveDuplicates();
    }

    private static StoreId id(String uri, Map<String, String> properties)
    {
        Configuration configuration = new Configuration(false);
        properties.forEach(configuration::set);
        return stores(new HiveClientConfig(), STOCK).of(URI.create(uri), configuration, "user");
    }

    private static StoreIds stores(HiveClientConfig config, Set<DynamicConfigurationProvider> providers)
    {
        return new StoreIds(config, providers, new CatalogSettings(Map.of(), Map.of()));
    }

    private static Configuration endpoint(String endpoint)
    {
        Configuration configuration = new Configuration(false);
        configuration.set("presto.s3.endpoint", endpoint);
        return configuration;
    }
}
