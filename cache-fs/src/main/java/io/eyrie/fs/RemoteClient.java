// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fs;

import io.eyrie.cache.config.ConfigException;
import io.eyrie.cache.file.StoreId;
import io.eyrie.cache.log.LimitedLog;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.security.UserGroupInformation;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Properties of a store's client. Refers to the classes of S3A and ABFS by name: their jars may be absent. */
final class RemoteClient
{
    private static final String S3A = "org.apache.hadoop.fs.s3a.S3AFileSystem";
    private static final String S3A_CHANGE_DETECTION = "fs.s3a.change.detection.mode";
    private static final String S3A_CHANGE_SOURCE = "fs.s3a.change.detection.source";
    private static final Set<String> ABFS_SCHEMES = Set.of("abfs", "abfss");
    private static final String ABFS_APPENDS = "fs.azure.io.read.tolerate.concurrent.append";
    private static final List<String> S3A_ENCRYPTION = List.of("fs.s3a.encryption.algorithm", "fs.s3a.server-side-encryption-algorithm");
    private static final List<String> S3A_IDENTITY = List.of("fs.s3a.access.key", "fs.s3a.assumed.role.arn");
    // a stream opened with one of these reads the version of that ETag or fails
    private static final Set<String> CONDITIONAL = Set.of(
            "org.apache.hadoop.fs.s3a.S3AFileStatus",
            "org.apache.hadoop.fs.s3a.S3ALocatedFileStatus",
            "org.apache.hadoop.fs.azurebfs.AzureBlobFileSystemStore$VersionedFileStatus");
    private static final LimitedLog log = new LimitedLog(RemoteClient.class, Level.WARNING);

    private final FileSystem fileSystem;
    private final Configuration configuration;
    private final boolean s3a;

    private RemoteClient(FileSystem fileSystem)
    {
        this.fileSystem = fileSystem;
        // S3A's own configuration includes the bucket's settings
        configuration = fileSystem.getConf();
        s3a = isInstance(fileSystem, S3A);
    }

    static RemoteClient of(FileSystem initialized)
    {
        return new RemoteClient(initialized);
    }

    private static boolean isInstance(Object object, String className)
    {
        for (Class<?> type = object.getClass(); type != null; type = type.getSuperclass()) {
            if (type.getName().equals(className)) {
                return true;
            }
        }
        return false;
    }

    /**
     * False if the client encrypts: its data must not be stored on a disk in plaintext. Also false if an ABFS client reads whatever version of a file it finds.
     *
     * @throws ConfigException if an S3A client would not notice that a file is overwritten while it is read
     */
    boolean isCacheable()
    {
        if (!s3a) {
            return !readsAnyVersion();
        }
        String mode = configuration.getTrimmed(S3A_CHANGE_DETECTION, "server").toLowerCase(Locale.ROOT);
        if (mode.equals("none") || mode.equals("warn")) {
            throw new ConfigException(S3A_CHANGE_DETECTION, mode, "it must be server or client, or pages of two versions of a file could be mixed",
                    "use one of them, or set " + EyrieKeys.ENABLED + " to false");
        }
        String source = configuration.getTrimmed(S3A_CHANGE_SOURCE, "etag").toLowerCase(Locale.ROOT);
        if (source.equals("versionid")) {
            // the status of a listed file has no version
            throw new ConfigException(S3A_CHANGE_SOURCE, source, "it must be etag, or pages of two versions of a file could be mixed",
                    "use it, or set " + EyrieKeys.ENABLED + " to false");
        }
        for (String key : S3A_ENCRYPTION) {
            if (configuration.getTrimmed(key, "").toUpperCase(Locale.ROOT).startsWith("CSE")) {
                log.log("No file of " + fileSystem.getUri() + " is cached: " + key + " enables client-side encryption");
                return false;
            }
        }
        return true;
    }

    private boolean readsAnyVersion()
    {
        URI uri = fileSystem.getUri();
        for (String key : List.of(ABFS_APPENDS, ABFS_APPENDS + "." + uri.getHost())) {
            if (ABFS_SCHEMES.contains(uri.getScheme()) && configuration.getBoolean(key, false)) {
                log.log("No file of " + uri + " is cached: " + key + " lets the client read a file that changes");
                return true;
            }
        }
        return false;
    }

    /** Whether only those who may read a file get its status. HDFS asks for the right to read the directory alone. */
    boolean provesRightByStatus()
    {
        return s3a;
    }

    /** Whether a stream opened with this status reads that version or fails. */
    static boolean isConditional(FileStatus status)
    {
        return FileVersions.etag(status).isPresent() && CONDITIONAL.contains(status.getClass().getName());
    }

    /** Identifies the store for one user: by the name, and on S3 also by a hash of the access key and role in the configuration. */
    StoreId storeFor(UserGroupInformation user)
            throws IOException
    {
        if (!s3a) {
            return new StoreId(fileSystem.getUri().toString(), user.getUserName());
        }
        StringBuilder identity = new StringBuilder();
        for (String key : S3A_IDENTITY) {
            char[] value = configuration.getPassword(key);
            identity.append(value == null ? "" : new String(value)).append('\n');
        }
        return new StoreId(
                "s3a://" + configuration.getTrimmed("fs.s3a.endpoint", "aws"),
                user.getUserName() + "#" + HexFormat.of().formatHex(sha256().digest(identity.toString().getBytes(StandardCharsets.UTF_8)), 0, 16));
    }

    private static MessageDigest sha256()
    {
        try {
            return MessageDigest.getInstance("SHA-256");
        }
        catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }
}
