package io.eyrie.presto.filesystem;

import com.facebook.presto.hive.DynamicConfigurationProvider;
import com.facebook.presto.hive.HiveClientConfig;
import com.facebook.presto.hive.gcs.GcsConfigurationProvider;
import io.eyrie.cache.file.StoreId;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

import java.net.URI;
import java.util.List;
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
        StoreIds ids = new StoreIds(new HiveClientConfig(), STOCK);
        assertThat(ids.of(BUCKET, endpoint("http://one:9000"), "alice")).isEqualTo(StoreId.shared("s3://http://one:9000"));
        assertThat(ids.of(BUCKET, endpoint("http://two:9000"), "alice")).isEqualTo(StoreId.shared("s3://http://two:9000"));
        assertThat(ids.of(BUCKET, new Configuration(false), "alice")).isEqualTo(StoreId.shared("s3://aws"));
        assertThat(ids.of(URI.create("hdfs://namenode:8020"), new Configuration(false), "alice")).isEqualTo(StoreId.shared("hdfs://namenode:8020"));
    }

    @Test
    void usersWithRightsOfTheirOwnShareNothing()
    {
        StoreIds impersonating = new StoreIds(new HiveClientConfig().setHdfsImpersonationEnabled(true), STOCK);
        assertThat(impersonating.of(URI.create("hdfs://namenode"), new Configuration(false), "alice")).isEqualTo(new StoreId("hdfs://namenode",
                "alice"));

        DynamicConfigurationProvider mapping = (configuration, context, uri) -> {};
        StoreIds mapped = new StoreIds(new HiveClientConfig(), Set.of(new GcsConfigurationProvider(), mapping));
        assertThat(mapped.of(BUCKET, endpoint("e"), "bob")).isEqualTo(new StoreId("s3://e", "bob"));

        Configuration token = new Configuration(false);
        token.set(GCS_ACCESS_TOKEN_CONF, "secret");
        assertThat(new StoreIds(new HiveClientConfig(), STOCK).of(URI.create("gs://bucket"), token, "carol")).isEqualTo(new StoreId("gs://bucket",
                "carol"));
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
    void schemesOfS3()
    {
        assertThat(StoreIds.isS3(URI.create("S3://bucket"))).isTrue();
        assertThat(StoreIds.isS3(URI.create("hdfs://namenode"))).isFalse();
    }

    private static Configuration endpoint(String endpoint)
    {
        Configuration configuration = new Configuration(false);
        configuration.set("presto.s3.endpoint", endpoint);
        return configuration;
    }
}
