// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.version;

import com.facebook.presto.hive.DirectoryLister;
import com.facebook.presto.hive.HadoopDirectoryLister;
import com.facebook.presto.hive.HiveDirectoryContext;
import com.facebook.presto.hive.HiveFileInfo;
import com.facebook.presto.hive.NamenodeStats;
import com.facebook.presto.hive.filesystem.ExtendedFileSystem;
import com.facebook.presto.hive.metastore.Partition;
import com.facebook.presto.hive.metastore.Table;
import com.facebook.presto.hive.s3.PrestoS3FileSystem;
import com.google.inject.Inject;
import org.apache.hadoop.fs.Path;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/** Lists as Presto does, and adds to each file of an S3 listing its entity tag in that listing, unless the file has other extra information. */
public final class VersionedDirectoryLister
        implements DirectoryLister
{
    private final DirectoryLister delegate;

    @Inject
    public VersionedDirectoryLister(HadoopDirectoryLister delegate)
    {
        this.delegate = requireNonNull(delegate, "delegate is null");
    }

    @Override
    public Iterator<HiveFileInfo> list(
            ExtendedFileSystem fileSystem,
            Table table,
            Path path,
            Optional<Partition> partition,
            NamenodeStats namenodeStats,
            HiveDirectoryContext hiveDirectoryContext)
    {
        Etags.ResponseTags seen = new Etags.ResponseTags();
        Iterator<HiveFileInfo> files = collecting(
                seen,
                () -> delegate.list(fileSystem, table, path, partition, namenodeStats, hiveDirectoryContext));
        return new Iterator<>() {
            @Override
            public boolean hasNext()
            {
                return collecting(seen, files::hasNext);
            }

            @Override
            public HiveFileInfo next()
            {
                HiveFileInfo file = collecting(seen, files::next);
                return seen.take(PrestoS3FileSystem.keyFromPath(new Path(file.getPath())))
                        .filter(etag -> file.getExtraFileInfo().isEmpty())
                        .map(etag -> withEtag(file, etag))
                        .orElse(file);
            }
        };
    }

    @Override
    public boolean isPathCached(Path path)
    {
        return delegate.isPathCached(path);
    }

    private static HiveFileInfo withEtag(HiveFileInfo file, String etag)
    {
        return new HiveFileInfo(
                file.getPath(),
                file.isDirectory(),
                file.getBlockLocations(),
                file.getLength(),
                file.getFileModifiedTime(),
                Optional.of(SplitEtag.encode(etag)),
                file.getCustomSplitInfo());
    }

    private static <T> T collecting(Etags.ResponseTags seen, Etags.Action<T> action)
    {
        try {
            return Etags.observing(seen, action);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
