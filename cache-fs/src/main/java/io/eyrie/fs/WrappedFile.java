// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fs;

import io.eyrie.cache.file.UnchangedFile;
import io.eyrie.cache.handle.ReaderHandles;
import io.eyrie.cache.page.RangeSource;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StreamCapabilities;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * Reads ranges of one version of a file of the wrapped file system. S3A and ABFS make each GET conditional on the ETag of the status that they are
 * opened with. For any other store, the status is requested again after each range.
 *
 * <p>Many streams admit only one reader at a time, so each range has its own stream. Streams are opened as needed, and reused unless one of their
 * reads failed.
 */
final class WrappedFile
        implements RangeSource
{
    /** The wrapped file system, accessed as the user to whom it belongs. */
    interface UserFileSystem
    {
        /** Requests the status from the store itself. */
        FileStatus status(Path path)
                throws IOException;

        /** Runs an action as the user, with the configuration's class loader: the cache's threads have neither. */
        void run(FileAction action)
                throws IOException;

        /** Called when the file is gone or has changed. */
        void changed(Path path);
    }

    interface FileAction
    {
        void run()
                throws IOException;
    }

    private final UserFileSystem store;
    private final Path path;
    private final FileStatus opened;
    private final UnchangedFile<FileStatus> file;
    private final ReaderHandles<?, FSDataInputStream> handles;

    /** @param handles of this version, for this reader */
    WrappedFile(UserFileSystem store, Path path, FileStatus opened, ReaderHandles<?, FSDataInputStream> handles)
    {
        this.store = requireNonNull(store, "store is null");
        this.path = requireNonNull(path, "path is null");
        this.opened = requireNonNull(opened, "opened is null");
        this.handles = requireNonNull(handles, "handles is null");
        file = new UnchangedFile<>(new Version(), RemoteClient.isConditional(opened));
    }

    @Override
    public void readFully(long position, byte[] buffer, int offset, int length)
            throws IOException
    {
        store.run(() -> read(position, buffer, offset, length));
    }

    private void read(long position, byte[] buffer, int offset, int length)
            throws IOException
    {
        file.read(() -> handles.read(stream -> {
            stream.readFully(position, buffer, offset, length);
            if (stream.hasCapability(StreamCapabilities.UNBUFFER)) {
                // returns the connection
                stream.unbuffer();
            }
        }));
    }

    /*
     * One of S3A's streams reports a refused GET as a failed precondition, the other as a closed stream. In both cases the store's current status is
     * requested.
     */
    private final class Version
            implements UnchangedFile.Store<FileStatus>
    {
        @Override
        public FileStatus status()
                throws IOException
        {
            return store.status(path);
        }

        @Override
        public boolean isSame(FileStatus found)
        {
            Optional<String> etag = FileVersions.etag(opened);
            return found.getLen() == opened.getLen()
                    && (etag.isPresent() ? FileVersions.etag(found).equals(etag) : found.getModificationTime() == opened.getModificationTime());
        }

        @Override
        public IOException changed(FileStatus found, @Nullable Exception failure)
        {
            return new FileChangedException(path.toString(), FileVersions.describe(opened), FileVersions.describe(found), failure);
        }

        @Override
        public void onChange()
        {
            store.changed(path);
        }
    }

    /** Open streams belong to the pool. */
    @Override
    public void close()
    {}
}
