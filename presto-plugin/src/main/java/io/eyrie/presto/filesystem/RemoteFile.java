package io.eyrie.presto.filesystem;

import com.facebook.presto.hive.s3.PrestoS3FileSystem;
import com.google.common.base.Throwables;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.handle.ReaderHandles;
import io.eyrie.cache.page.RangeSource;
import io.eyrie.presto.version.Etags;
import io.eyrie.presto.version.StaleVersionException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;

import java.io.IOException;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * Reads ranges of one version of a remote file over the uncached file system, S3 objects on condition of their entity tag.
 */
final class RemoteFile
        implements RangeSource
{
    private final Path path;
    private final Optional<String> etag;
    private final ReaderHandles<FileVersion, FSDataInputStream> handles;

    RemoteFile(Path path, Optional<String> etag, ReaderHandles<FileVersion, FSDataInputStream> handles)
    {
        this.path = requireNonNull(path, "path is null");
        this.etag = requireNonNull(etag, "etag is null");
        this.handles = requireNonNull(handles, "handles is null");
    }

    @Override
    public void readFully(long position, byte[] buffer, int offset, int length)
            throws IOException
    {
        if (etag.isEmpty()) {
            read(position, buffer, offset, length);
            return;
        }
        try {
            Etags.expecting(PrestoS3FileSystem.keyFromPath(path), etag.get(), () -> {
                read(position, buffer, offset, length);
                return length;
            });
        }
        catch (IOException | RuntimeException e) {
            for (Throwable cause : Throwables.getCausalChain(e)) {
                if (cause instanceof StaleVersionException) {
                    throw new FileChangedException(path, cause);
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

    /** What is open is the pool's. */
    @Override
    public void close()
    {}
}
