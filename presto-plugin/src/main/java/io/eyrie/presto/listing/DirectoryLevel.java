// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.listing;

import com.amazonaws.services.s3.model.ListObjectsV2Result;
import com.amazonaws.services.s3.model.S3ObjectSummary;
import com.facebook.presto.hive.s3.PrestoS3FileSystem;
import io.eyrie.cache.host.HostMethods;
import org.apache.hadoop.fs.LocatedFileStatus;

import java.lang.invoke.MethodHandle;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import static java.util.Objects.requireNonNull;

/** Builds S3's slash-delimited listing of one directory, and converts it to files as Presto does. */
final class DirectoryLevel
{
    // private; a copy would have to follow how each release of Presto defines a file
    private static final MethodHandle STATUSES = HostMethods.find(PrestoS3FileSystem.class, Iterator.class, "statusFromListing",
            ListObjectsV2Result.class);

    private DirectoryLevel()
    {}

    /**
     * Returns the response to Presto's request for a directory.
     *
     * @param objects all under the directory, and possibly others
     * @param directory a key that ends in a slash
     */
    static ListObjectsV2Result of(List<S3ObjectSummary> objects, String directory)
    {
        ListObjectsV2Result level = new ListObjectsV2Result();
        Set<String> nested = new LinkedHashSet<>();
        for (S3ObjectSummary object : objects) {
            String key = object.getKey();
            if (key.startsWith(directory)) {
                int slash = key.indexOf('/', directory.length());
                if (slash < 0) {
                    level.getObjectSummaries().add(object);
                }
                else {
                    nested.add(key.substring(0, slash + 1));
                }
            }
        }
        level.setCommonPrefixes(List.copyOf(nested));
        return level;
    }

    /** Fails if this release of Presto lacks the method that {@link #statuses} calls. */
    static void requireHost()
    {
        requireNonNull(STATUSES, "STATUSES is null");
    }

    /** Converts a response to files as Presto does, without directory markers and, if Presto is so configured, without Glacier objects. */
    @SuppressWarnings("unchecked")
    static Iterator<LocatedFileStatus> statuses(PrestoS3FileSystem s3, ListObjectsV2Result answer)
    {
        try {
            return (Iterator<LocatedFileStatus>) STATUSES.invoke(s3, answer);
        }
        catch (RuntimeException | Error e) {
            throw e;
        }
        catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
