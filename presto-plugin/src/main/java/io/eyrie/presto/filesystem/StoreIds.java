// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.filesystem;

import com.facebook.presto.hive.DynamicConfigurationProvider;
import com.facebook.presto.hive.HiveClientConfig;
import com.facebook.presto.hive.gcs.GcsConfigurationProvider;
import com.google.common.hash.Hashing;
import com.google.inject.Inject;
import io.eyrie.cache.file.StoreId;
import io.eyrie.presto.config.CatalogSettings;
import org.apache.hadoop.conf.Configuration;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import static com.facebook.presto.hive.gcs.GcsAccessTokenProvider.GCS_ACCESS_TOKEN_CONF;
import static com.facebook.presto.hive.s3.S3ConfigurationUpdater.S3_ACCESS_KEY;
import static com.facebook.presto.hive.s3.S3ConfigurationUpdater.S3_CREDENTIALS_PROVIDER;
import static com.facebook.presto.hive.s3.S3ConfigurationUpdater.S3_ENCRYPTION_MATERIALS_PROVIDER;
import static com.facebook.presto.hive.s3.S3ConfigurationUpdater.S3_ENDPOINT;
import static com.facebook.presto.hive.s3.S3ConfigurationUpdater.S3_IAM_ROLE;
import static com.facebook.presto.hive.s3.S3ConfigurationUpdater.S3_KMS_KEY_ID;
import static com.facebook.presto.hive.s3.S3ConfigurationUpdater.S3_WEB_IDENTITY_ENABLED;

/**
 * Identifies the store behind a file system. The identifier holds the endpoint or namenode and a hash of the names of the catalog's credentials, so
 * that catalogs with different credentials share nothing, even in one cache directory. If users have individual rights in the store (impersonation,
 * mapped roles, tokens), it also holds the user. No user is therefore served data that the store would refuse.
 */
public final class StoreIds
{
    private static final Set<String> S3_SCHEMES = Set.of("s3", "s3a", "s3n");
    private static final Set<String> OBJECT_STORES = Set.of("s3", "s3a", "s3n", "gs", "abfs", "abfss", "wasb", "wasbs", "adl");
    private static final Set<String> WEB_HDFS = Set.of("webhdfs", "swebhdfs", "hftp", "hsftp");
    private static final String ZONE_KEYS = "dfs.encryption.key.provider.uri";
    // used if hive.s3-file-system-type=HADOOP_DEFAULT
    private static final String HADOOP_S3_ENDPOINT = "fs.s3a.endpoint";
    // these identify the holder; secrets are left out, so that a holder with a new secret still finds the cached data
    private static final List<String> S3_CREDENTIALS = List.of(
            S3_ACCESS_KEY,
            S3_IAM_ROLE,
            S3_WEB_IDENTITY_ENABLED,
            S3_CREDENTIALS_PROVIDER,
            "fs.s3a.access.key",
            "fs.s3a.assumed.role.arn",
            "fs.s3a.aws.credentials.provider");
    private static final List<String> AZURE_CREDENTIALS = List.of(
            "fs.azure.account.auth.type",
            "fs.azure.account.oauth.provider.type",
            "fs.azure.account.oauth2.client.id",
            "fs.azure.account.oauth2.user.name");
    // every holder has all rights of the account, so its value does not matter
    private static final String AZURE_ACCOUNT_KEY = "fs.azure.account.key";
    private static final List<String> ADL_CREDENTIALS = List.of("fs.adl.oauth2.client.id", "dfs.adls.oauth2.client.id");
    private static final String GCS_KEY_FILE = "fs.gs.auth.service.account.json.keyfile";
    private static final String GCS_ACCOUNT = "fs.gs.auth.service.account.email";
    private static final Pattern GCS_ACCOUNT_IN_KEY_FILE = Pattern.compile("\"client_email\"\\s*:\\s*\"([^\"]+)\"");
    private static final String HDFS_PRINCIPAL = "hive.hdfs.presto.principal";
    private static final int HASH_BYTES = 8;
    // a file without a tag may change again within one tick of the store's clock and appear as the same version
    private static final long MIN_AGE_MILLIS = 2_000;

    private final boolean impersonation;
    private final boolean mappedRoles;
    private final String hdfsPrincipal;
    private final Map<String, String> gcsAccounts = new ConcurrentHashMap<>();

    @Inject
    public StoreIds(HiveClientConfig config, Set<DynamicConfigurationProvider> providers, CatalogSettings catalog)
    {
        hdfsPrincipal = catalog.properties().getOrDefault(HDFS_PRINCIPAL, "");
        impersonation = config.isHdfsImpersonationEnabled();
        mappedRoles = providers.stream().anyMatch(provider -> !(provider instanceof GcsConfigurationProvider));
    }

    /** Returns the identifier of the store for this user. */
    public StoreId of(URI fileSystem, Configuration configuration, String user)
    {
        String scheme = scheme(fileSystem);
        String endpoint = S3_SCHEMES.contains(scheme)
                ? "s3://" + configuration.get(S3_ENDPOINT, configuration.get(HADOOP_S3_ENDPOINT, "aws"))
                : scheme + "://" + fileSystem.getAuthority();
        String holder = credentials(fileSystem, scheme, configuration);
        return new StoreId(holder.isBlank() ? endpoint : endpoint + "#" + hash(holder), isPersonal(configuration) ? user : "");
    }

    /** Whether users have individual rights in the store, for which it is asked before a file is served from the cache. */
    public boolean isPersonal(Configuration configuration)
    {
        return impersonation || mappedRoles || configuration.get(GCS_ACCESS_TOKEN_CONF) != null;
    }

    /**
     * Returns a hash of the credential that the session passes to the store, whose rights may be others than those of the session's user; {@code ""} if the
     * user's name, or the catalog, determines the rights. Checked rights, open files and file lists belong to it. Pages do not, because such credentials change
     * every hour.
     */
    public static String credential(Configuration configuration)
    {
        String token = configuration.get(GCS_ACCESS_TOKEN_CONF);
        return token == null ? "" : Hashing.sha256().hashString(token, StandardCharsets.UTF_8).toString();
    }

    /* Blank if the configuration names none: the machine's credentials apply, or there are none. */
    private String credentials(URI fileSystem, String scheme, Configuration configuration)
    {
        return switch (scheme) {
            case "s3", "s3a", "s3n" -> values(configuration, S3_CREDENTIALS, "fs.s3a.bucket." + fileSystem.getHost(), "fs.s3a");
            case "gs" -> configuration.get(GCS_ACCOUNT, "") + gcsAccount(configuration.get(GCS_KEY_FILE, ""));
            case "abfs", "abfss", "wasb", "wasbs" -> values(configuration, AZURE_CREDENTIALS, "", "")
                    + AZURE_CREDENTIALS.stream().map(key -> configuration.get(key + "." + fileSystem.getHost(), "")).collect(Collectors.joining())
                    + (configuration.get(AZURE_ACCOUNT_KEY + "." + fileSystem.getHost()) != null ? "account key" : "");
            case "adl" -> values(configuration, ADL_CREDENTIALS, "", "");
            default -> hdfsPrincipal;
        };
    }

    /* One line per value. A bucket's own property takes precedence. */
    private static String values(Configuration configuration, List<String> keys, String ownPrefix, String prefix)
    {
        StringBuilder values = new StringBuilder();
        for (String key : keys) {
            String value = configuration.get(key, "");
            values.append(!prefix.isEmpty() && key.startsWith(prefix) ? configuration.get(ownPrefix + key.substring(prefix.length()), value) : value)
                    .append('\n');
        }
        return values.toString();
    }

    /* Assumes that the file does not change while the process runs, or that its new content belongs to the same account. */
    private String gcsAccount(String keyFile)
    {
        return keyFile.isEmpty() ? "" : gcsAccounts.computeIfAbsent(keyFile, name -> {
            try {
                Matcher account = GCS_ACCOUNT_IN_KEY_FILE.matcher(Files.readString(Path.of(name)));
                return account.find() ? account.group(1) : name;
            }
            catch (IOException | InvalidPathException e) {
                return name;
            }
        });
    }

    private static String hash(String text)
    {
        return Hashing.sha256().hashString(text, StandardCharsets.UTF_8).toString().substring(0, 2 * HASH_BYTES);
    }

    /**
     * Whether files of the file system may be cached. Local files are not, because a copy is no closer; files that the client encrypts or may decrypt are
     * not, because they must not be stored in plain text.
     */
    public static boolean isCacheable(URI fileSystem, Configuration configuration)
    {
        boolean encryptedByClient = configuration.get(S3_KMS_KEY_ID) != null || configuration.get(S3_ENCRYPTION_MATERIALS_PROVIDER) != null;
        return !scheme(fileSystem).equals("file") && !(isS3(fileSystem) && encryptedByClient) && !mayDecrypt(fileSystem, configuration);
    }

    /**
     * Whether readers may receive decrypted files of encryption zones. The client decrypts them if it has a provider of keys, and WebHDFS always does.
     * Hadoop's client 2.7 cannot find out from the status of a file whether the file is in a zone of a server of version 3.
     */
    static boolean mayDecrypt(URI fileSystem, Configuration configuration)
    {
        String scheme = scheme(fileSystem);
        return WEB_HDFS.contains(scheme) || (!OBJECT_STORES.contains(scheme) && !configuration.getTrimmed(ZONE_KEYS, "").isEmpty());
    }

    public static boolean isS3(URI fileSystem)
    {
        return S3_SCHEMES.contains(scheme(fileSystem));
    }

    /** Whether a file without an entity tag is too young for its modification time and length to distinguish it from its next version. */
    public static boolean isTooYoung(long modifiedMillis)
    {
        return System.currentTimeMillis() - modifiedMillis < MIN_AGE_MILLIS;
    }

    private static String scheme(URI uri)
    {
        return uri.getScheme().toLowerCase(Locale.ROOT);
    }
}
