// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.cache.ForCachingFileSystem;
import com.facebook.presto.hive.HdfsConfiguration;
import com.facebook.presto.hive.HdfsContext;
import com.facebook.presto.hive.HdfsEnvironment;
import com.facebook.presto.hive.HiveFileSplit;
import com.facebook.presto.hive.HiveSplit;
import com.facebook.presto.hive.metastore.StorageFormat;
import com.facebook.presto.hive.parquet.ParquetPageSourceFactory;
import com.facebook.presto.spi.ConnectorSession;
import com.google.inject.Inject;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.presto.filesystem.AccessChecks;
import io.eyrie.presto.filesystem.CachingHdfsConfiguration;
import io.eyrie.presto.filesystem.StoreIds;
import io.eyrie.presto.handle.EyrieLayoutHandle;
import io.eyrie.presto.version.SplitEtag;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import java.util.stream.Stream;

import static com.facebook.presto.hive.parquet.ParquetPageSourceFactory.PARQUET_SERDE_CLASS_NAMES;
import static java.util.Objects.requireNonNull;

/** Determines the version of a split's file. Thread-safe. */
final class SplitVersions
{
    /** Names a file with the schema, which may change while nothing else does. */
    private static final String SCHEMA_FILE = "avro.schema.url";

    private final HdfsConfiguration configurations;
    private final HdfsEnvironment hdfs;
    private final StoreIds storeIds;
    private final AccessChecks access;

    private record FoundVersion(FileVersion version, String credential)
    {}

    @Inject
    SplitVersions(@ForCachingFileSystem HdfsConfiguration configurations, HdfsEnvironment hdfs, StoreIds storeIds, AccessChecks access)
    {
        this.configurations = requireNonNull(configurations, "configurations is null");
        this.access = requireNonNull(access, "access is null");
        this.hdfs = requireNonNull(hdfs, "hdfs is null");
        this.storeIds = requireNonNull(storeIds, "storeIds is null");
    }

    /**
     * Returns the version of the split's file; empty if the version is not certain, if the file may not be cached, if the file is read with keys, or if the
     * store does not let the session's user read the file.
     */
    Optional<FileVersion> of(ConnectorSession session, HiveSplit split, EyrieLayoutHandle layout)
    {
        return found(session, split, layout).filter(found -> mayRead(found, context(session, split, layout), new Path(split.getFileSplit()
                .getPath())))
                .map(FoundVersion::version);
    }

    /**
     * Returns the version of the split's file, if it is certain and the file may be cached, if the file is read without keys, and if all users have the same
     * rights in the store. Does no I/O.
     */
    Optional<FileVersion> ofAllUsers(ConnectorSession session, HiveSplit split, EyrieLayoutHandle layout)
    {
        return found(session, split, layout).map(FoundVersion::version).filter(version -> version.store().principal().isEmpty());
    }

    private Optional<FoundVersion> found(ConnectorSession session, HiveSplit split, EyrieLayoutHandle layout)
    {
        HiveFileSplit file = split.getFileSplit();
        Path path = new Path(file.getPath());
        URI uri = path.toUri();
        Optional<String> etag = SplitEtag.decode(file.getExtraFileInfo());
        boolean told = etag.isPresent() || (uri.getScheme() != null && !StoreIds.isS3(uri) && !StoreIds.isTooYoung(file.getFileModifiedTime()));
        if (!told || file.getFileModifiedTime() <= 0 || uri.getScheme() == null || !file.getCustomSplitInfo().isEmpty()
                || split.getEncryptionInformation().isPresent() || hasSchemaFile(split, layout)) {
            return Optional.empty();
        }
        // a configuration that creates caching file systems is a copy, with some hundred entries per split
        Configuration configuration = CachingHdfsConfiguration.remote(configurations, context(session, split, layout), uri);
        if (!StoreIds.isCacheable(uri, configuration) || isReadWithKeys(split, configuration, path)) {
            return Optional.empty();
        }
        FileVersion version = new FileVersion(
                storeIds.of(uri, configuration, session.getIdentity().getUser()),
                path.toString(),
                file.getFileSize(),
                file.getFileModifiedTime(),
                etag);
        return Optional.of(new FoundVersion(version, StoreIds.credential(configuration)));
    }

    /*
     * What Presto reads of an encrypted Parquet file depends on the keys that it has at that time: it fails, or reads columns without a key as null. A
     * factory that fails here fails the reader, too.
     */
    private static boolean isReadWithKeys(HiveSplit split, Configuration configuration, Path path)
    {
        StorageFormat format = split.getStorage().getStorageFormat();
        // Hive's own reader, which Presto uses for other serdes, decrypts, too
        if (!PARQUET_SERDE_CLASS_NAMES.contains(format.getSerDeNullable()) && !String.valueOf(format.getInputFormatNullable()).contains("Parquet")) {
            return false;
        }
        try {
            return ParquetPageSourceFactory.createDecryptor(configuration, path).isPresent();
        }
        catch (RuntimeException e) {
            return true;
        }
    }

    private static boolean hasSchemaFile(HiveSplit split, EyrieLayoutHandle layout)
    {
        return Stream.of(layout.getTableParameters(), split.getStorage().getParameters(), split.getStorage().getSerdeParameters()).anyMatch(
                parameters -> !parameters.getOrDefault(SCHEMA_FILE, "").isBlank());
    }

    /* A refusal is ignored here, and thrown to the reader that opens the file. */
    private boolean mayRead(FoundVersion found, HdfsContext context, Path path)
    {
        try {
            access.check(found.version(), found.credential(), () -> hdfs.getFileSystem(context, path));
            return true;
        }
        catch (IOException e) {
            return false;
        }
    }

    /** Returns the context of a read, for the store's configuration. */
    static HdfsContext context(ConnectorSession session, HiveSplit split, EyrieLayoutHandle layout)
    {
        return new HdfsContext(session, split.getDatabase(), split.getTable(), layout.getTablePath(), false);
    }
}
