package io.eyrie.presto.filesystem;

import com.facebook.presto.hive.s3.PrestoS3FileSystem;
import com.google.common.base.Throwables;
import io.eyrie.cache.page.RangeSource;
import io.eyrie.presto.version.Etags;
import io.eyrie.presto.version.StaleVersionException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

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
    private final Etags.Action<FSDataInputStream> opener;
    private @Nullable FSDataInputStream opened;

    RemoteFile(Path path, Optional<String> etag, Etags.Action<FSDataInputStream> opener)
    {
        this.path = requireNonNull(path, "path is null");
        this.etag = requireNonNull(etag, "etag is null");
        this.opener = requireNonNull(opener, "opener is null");
    }

    @Override
    public void readFully(long position, byte[] buffer, int offset, int length)
            throws IOException
    {
        if (etag.isEmpty()) {
            stream().readFully(position, buffer, offset, length);
            return;
        }
        try {
            Etags.expecting(PrestoS3FileSystem.keyFromPath(path), etag.get(), () -> {
                stream().readFully(position, buffer, offset, length);
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

    private synchronized FSDataInputStream stream()
            throws IOException
    {
        if (opened == null) {
            opened = opener.run();
        }
        return opened;
    }

    @Override
    public synchronized void close()
            throws IOException
    {
        if (opened != null) {
            opened.close();
        }
    }
}
