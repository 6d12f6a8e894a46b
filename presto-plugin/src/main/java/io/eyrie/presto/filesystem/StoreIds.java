package io.eyrie.presto.filesystem;

import com.facebook.presto.hive.DynamicConfigurationProvider;
import com.facebook.presto.hive.HiveClientConfig;
import com.facebook.presto.hive.gcs.GcsConfigurationProvider;
import com.google.inject.Inject;
import io.eyrie.cache.file.StoreId;
import org.apache.hadoop.conf.Configuration;

import java.net.URI;
import java.util.Locale;
import java.util.Set;

import static com.facebook.presto.hive.gcs.GcsAccessTokenProvider.GCS_ACCESS_TOKEN_CONF;
import static com.facebook.presto.hive.s3.S3ConfigurationUpdater.S3_ENCRYPTION_MATERIALS_PROVIDER;
import static com.facebook.presto.hive.s3.S3ConfigurationUpdater.S3_ENDPOINT;
import static com.facebook.presto.hive.s3.S3ConfigurationUpdater.S3_KMS_KEY_ID;

/**
 * Names the store behind a file system: the endpoint or namenode, and the user wherever users have rights of their own there
 * (impersonation, mapped roles, tokens), so that nobody is served what the store would refuse.
 */
public final class StoreIds
{
    private static final Set<String> S3_SCHEMES = Set.of("s3", "s3a", "s3n");
    // where hive.s3-file-system-type=HADOOP_DEFAULT
    private static final String HADOOP_S3_ENDPOINT = "fs.s3a.endpoint";
    // a file without a tag may change again within a tick of the store's clock and have the same version
    private static final long MIN_AGE_MILLIS = 2_000;

    private final boolean impersonation;
    private final boolean mappedRoles;

    @Inject
    public StoreIds(HiveClientConfig config, Set<DynamicConfigurationProvider> providers)
    {
        impersonation = config.isHdfsImpersonationEnabled();
        mappedRoles = providers.stream().anyMatch(provider -> !(provider instanceof GcsConfigurationProvider));
    }

    /** The store, as this user sees it. */
    public StoreId of(URI fileSystem, Configuration configuration, String user)
    {
        String scheme = scheme(fileSystem);
        boolean personal = impersonation || mappedRoles || configuration.get(GCS_ACCESS_TOKEN_CONF) != null;
        String endpoint = S3_SCHEMES.contains(scheme)
                ? "s3://" + configuration.get(S3_ENDPOINT, configuration.get(HADOOP_S3_ENDPOINT, "aws"))
                : scheme + "://" + fileSystem.getAuthority();
        return new StoreId(endpoint, personal ? user : "");
    }

    /** Not files of this machine, of which a copy is no nearer; nor what the client encrypts, which is not to lie on a disk in the clear. */
    public static boolean isCacheable(URI fileSystem, Configuration configuration)
    {
        boolean encryptedByClient = configuration.get(S3_KMS_KEY_ID) != null || configuration.get(S3_ENCRYPTION_MATERIALS_PROVIDER) != null;
        return !scheme(fileSystem).equals("file") && !(isS3(fileSystem) && encryptedByClient);
    }

    public static boolean isS3(URI fileSystem)
    {
        return S3_SCHEMES.contains(scheme(fileSystem));
    }

    /** Whether modification time and length do not tell a file without an entity tag from its next version yet. */
    public static boolean isTooYoung(long modifiedMillis)
    {
        return System.currentTimeMillis() - modifiedMillis < MIN_AGE_MILLIS;
    }

    private static String scheme(URI uri)
    {
        return uri.getScheme().toLowerCase(Locale.ROOT);
    }
}
