// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.filesystem;

import com.facebook.presto.hive.s3.PrestoS3FileSystem;
import com.google.common.base.Throwables;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.UnchangedFile;
import io.eyrie.cache.handle.ReaderHandles;
import io.eyrie.cache.page.RangeSource;
import io.eyrie.presto.version.Etags;
import io.eyrie.presto.version.StaleVersionException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

import static java.util.Objects.requireNonNull;

/**
 * Reads ranges of one version of a remote file through the uncached file system. Reads of S3 objects are conditional on the entity tag. For files of
 * other stores, length and modification time are checked after each range.
 */
final class RemoteFile
        implements RangeSource
{
    private final Path path;
    private final FileVersion version;
    private final ReaderHandles<FileHandles.HandleKey, FSDataInputStream> handles;
    private final UnchangedFile<FileStatus> file;

    /** Requests a file's status from the store. */
    interface StatusSource
    {
        FileStatus of(Path path)
                throws IOException;
    }

    RemoteFile(Path path, FileVersion version, StatusSource statuses, ReaderHandles<FileHandles.HandleKey, FSDataInputStream> handles)
    {
        this.path = requireNonNull(path, "path is null");
        this.version = requireNonNull(version, "version is null");
        this.handles = requireNonNull(handles, "handles is null");
        file = new UnchangedFile<>(new ListedVersion(path, version, statuses), false);
    }

    @Override
    public void readFully(long position, byte[] buffer, int offset, int length)
            throws IOException
    {
        if (version.etag().isEmpty()) {
            file.read(() -> read(position, buffer, offset, length));
            return;
        }
        try {
            Etags.expecting(PrestoS3FileSystem.keyFromPath(path), version.etag().get(), () -> {
                read(position, buffer, offset, length);
                return length;
            });
        }
        catch (IOException | RuntimeException e) {
            for (Throwable cause : Throwables.getCausalChain(e)) {
                if (cause instanceof StaleVersionException) {
                    throw new ListedFileChangedException(path, cause.getMessage(), cause);
                }
            }
            throw e;
        }
    }

    private void read(long position, byte[] buffer, int offset, int length)
            throws IOException
    {
        handles.read(stream -> stream.readFully(position, buffer, offset, length));
    }

    /** The version from a directory listing. */
    private record ListedVersion(Path path, FileVersion version, StatusSource statuses)
            implements UnchangedFile.Store<FileStatus>
    {
        private static final long SECOND_MILLIS = TimeUnit.SECONDS.toMillis(1);

        ListedVersion
        {
            requireNonNull(statuses, "statuses is null");
        }

        @Override
        public FileStatus status()
                throws IOException
        {
            return statuses.of(path);
        }

        /* Some stores list times in milliseconds and return whole seconds for a single file, or the reverse. */
        @Override
        public boolean isSame(FileStatus found)
        {
            long listed = version.modifiedMillis();
            long now = found.getModificationTime();
            boolean rounded = listed % SECOND_MILLIS == 0 || now % SECOND_MILLIS == 0;
            return found.getLen() == version.lengthBytes() && (now == listed || (rounded && now / SECOND_MILLIS == listed / SECOND_MILLIS));
        }

        @Override
        public IOException changed(FileStatus found, @Nullable Exception failure)
        {
            String change = describe(version.lengthBytes(), version.modifiedMillis()) + " became "
                    + describe(found.getLen(), found.getModificationTime());
            if (found.getLen() > version.lengthBytes()) {
                change += "; with the session property cache_enabled=false, files to which writers append can be read";
            }
            return new ListedFileChangedException(path, change, failure);
        }

        private static String describe(long bytes, long modifiedMillis)
        {
            return bytes + " bytes modified at " + Instant.ofEpochMilli(modifiedMillis);
        }
    }

    /** Does nothing: the pool owns the open files. */
    @Override
    public void close()
    {}
}
