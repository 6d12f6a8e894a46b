// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.version;

import com.facebook.presto.hive.HdfsContext;
import com.facebook.presto.hive.HdfsEnvironment;
import com.facebook.presto.hive.metastore.MetastoreContext;
import com.facebook.presto.spi.security.ConnectorIdentity;
import com.google.common.hash.HashCode;
import com.google.common.hash.Hashing;
import com.google.common.io.ByteStreams;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * Versions in Presto's file metastore: a version identifies the content of the one file that holds everything about a table or partition, including its
 * statistics.
 */
public final class FileMetastoreVersions
        implements VersionSource
{
    /*
     * Version  modification time, length and a hash of the bytes: a file may be rewritten with the same length within the granularity of the time, or renamed
     *          over another one with the same time. A half-written file has its own version.
     */
    private static final int HASH_BYTES = 32;
    private static final String SCHEMA_FILE = ".prestoSchema";

    private final HdfsEnvironment files;
    private final HdfsContext user;
    private final Path catalog;

    /**
     * Reads the files that this file metastore writes.
     *
     * @param catalogDirectory its {@code hive.metastore.catalog.dir}
     * @param metastoreUser its {@code hive.metastore.user}
     */
    @SuppressWarnings("deprecation") // only the user, as that metastore does it
    public FileMetastoreVersions(HdfsEnvironment files, String catalogDirectory, String metastoreUser)
    {
        this.files = requireNonNull(files, "files is null");
        this.user = new HdfsContext(new ConnectorIdentity(metastoreUser, Optional.empty(), Optional.empty()));
        this.catalog = new Path(catalogDirectory);
    }

    @Override
    public Optional<Object> ofTable(MetastoreContext context, String database, String table)
    {
        return version(directory(database, table));
    }

    @Override
    public boolean tellsPartitions()
    {
        return true;
    }

    @Override
    public Map<String, Object> ofPartitions(MetastoreContext context, String database, String table, Collection<String> names)
    {
        Path directory = directory(database, table);
        Map<String, Object> told = new HashMap<>();
        names.forEach(name -> version(new Path(directory, name)).ifPresent(version -> told.put(name, version)));
        return told;
    }

    @Override
    public boolean hasBytes()
    {
        return true;
    }

    @Override
    public Optional<byte[]> encode(Object version)
    {
        return version instanceof Version file
                ? Optional.of(ByteBuffer.allocate(Long.BYTES + Integer.BYTES + HASH_BYTES).putLong(file.modifiedMillis).putInt(file.length).put(
                        file.hash
                                .asBytes()).array())
                : Optional.empty();
    }

    @Override
    public Object decode(ByteBuffer bytes)
    {
        ByteBuffer in = bytes.duplicate();
        long modifiedMillis = in.getLong();
        int length = in.getInt();
        byte[] hash = new byte[HASH_BYTES];
        in.get(hash);
        return new Version(modifiedMillis, length, HashCode.fromBytes(hash));
    }

    private Path directory(String database, String table)
    {
        return new Path(new Path(catalog, database), table);
    }

    private Optional<Object> version(Path directory)
    {
        Path file = new Path(directory, SCHEMA_FILE);
        try {
            FileSystem store = files.getFileSystem(user, catalog);
            FileStatus status = store.getFileStatus(file);
            try (FSDataInputStream stream = store.open(file)) {
                byte[] bytes = ByteStreams.toByteArray(stream);
                return Optional.of(new Version(status.getModificationTime(), bytes.length, Hashing.sha256().hashBytes(bytes)));
            }
        }
        catch (IOException e) {
            return Optional.empty(); // the file does not exist, or the metastore's own call fails too
        }
    }

    private record Version(long modifiedMillis, int length, HashCode hash)
    {}
}
