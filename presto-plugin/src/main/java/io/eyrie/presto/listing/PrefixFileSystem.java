// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.listing;

import com.amazonaws.services.s3.model.ListObjectsV2Result;
import com.amazonaws.services.s3.model.S3ObjectSummary;
import com.facebook.presto.cache.CachingFileSystem;
import com.facebook.presto.hive.HiveFileContext;
import com.facebook.presto.hive.filesystem.ExtendedFileSystem;
import com.facebook.presto.hive.s3.PrestoS3FileSystem;
import io.eyrie.presto.version.Etags;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A file system for one listing of one directory, as Presto's lister requests it. Lists the directory and its subdirectories from the objects of a page, if a
 * page has them; delegates all other calls. Used by one thread at a time.
 */
final class PrefixFileSystem
        extends CachingFileSystem
{
    private final PrestoS3FileSystem s3;
    private final String directory;
    private final Supplier<Optional<List<S3ObjectSummary>>> find;
    private Optional<List<S3ObjectSummary>> found = Optional.empty();
    private boolean asked;

    /**
     * @param directory a key that ends in a slash
     * @param find returns the objects under it; called once, when the directory is first listed
     */
    PrefixFileSystem(ExtendedFileSystem delegate, PrestoS3FileSystem s3, String directory, Supplier<Optional<List<S3ObjectSummary>>> find)
    {
        super(delegate, delegate.getUri());
        this.s3 = s3;
        this.directory = directory;
        this.find = find;
    }

    @Override
    public RemoteIterator<LocatedFileStatus> listLocatedStatus(Path path)
            throws IOException
    {
        String listed = PrestoS3FileSystem.keyFromPath(path) + "/";
        if (!listed.startsWith(directory)) {
            return dataTier.listLocatedStatus(path);
        }
        if (!asked) {
            asked = true;
            found = find.get();
        }
        if (found.isEmpty()) {
            return dataTier.listLocatedStatus(path);
        }
        ListObjectsV2Result level = DirectoryLevel.of(found.get(), listed);
        Etags.observer().ifPresent(observer -> observer.onListing(level));
        Iterator<LocatedFileStatus> statuses = DirectoryLevel.statuses(s3, level);
        return new RemoteIterator<>() {
            @Override
            public boolean hasNext()
            {
                return statuses.hasNext();
            }

            @Override
            public LocatedFileStatus next()
            {
                return statuses.next();
            }
        };
    }

    @Override
    public FSDataInputStream openFile(Path path, HiveFileContext context)
            throws Exception
    {
        return dataTier.openFile(path, context);
    }
}
