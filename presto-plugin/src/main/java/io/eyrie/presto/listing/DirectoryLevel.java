// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.listing;

import com.amazonaws.services.s3.model.ListObjectsV2Result;
import com.amazonaws.services.s3.model.S3ObjectSummary;
import com.facebook.presto.hive.s3.PrestoS3FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.jspecify.annotations.Nullable;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Builds S3's slash-delimited listing of one directory, and converts it to files as Presto does. */
final class DirectoryLevel
{
    private static final @Nullable MethodHandle STATUSES = statusFromListing();

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

    /** Returns whether this release of Presto has the method that {@link #statuses} calls. */
    static boolean isKnown()
    {
        return STATUSES != null;
    }

    /** Converts a response to files as Presto does, without directory markers and, if Presto is so configured, without Glacier objects. */
    @SuppressWarnings("unchecked")
    static Iterator<LocatedFileStatus> statuses(PrestoS3FileSystem s3, ListObjectsV2Result answer)
    {
        if (STATUSES == null) {
            throw new IllegalStateException("This presto-hive has no accessible method PrestoS3FileSystem.statusFromListing");
        }
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

    /* The method is private. A copy would have to follow how each release of Presto defines a file. */
    private static @Nullable MethodHandle statusFromListing()
    {
        try {
            Method method = PrestoS3FileSystem.class.getDeclaredMethod("statusFromListing", ListObjectsV2Result.class);
            method.setAccessible(true);
            return MethodHandles.lookup().unreflect(method);
        }
        catch (ReflectiveOperationException | RuntimeException e) {
            return null;
        }
    }
}
