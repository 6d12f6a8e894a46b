// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.version;

import com.amazonaws.services.s3.model.ListObjectsV2Result;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Passes entity tags, by thread, between code that calls Presto's S3 file system and {@link EtagRequestHandler}, which sees the file system's requests: its
 * methods have no place for entity tags. S3 requests run on the calling thread.
 */
public final class Etags
{
    private static final ThreadLocal<@Nullable Expectation> EXPECTED = new ThreadLocal<>();
    private static final ThreadLocal<@Nullable Seen> SEEN = new ThreadLocal<>();

    private Etags()
    {}

    /** A call that does I/O. */
    public interface Action<T>
    {
        T run()
                throws IOException;
    }

    /** The entity tags in the responses to this thread's requests, by object key. Used by one thread. */
    public static final class Seen
    {
        static final int MOST_KEYS = 10_000;

        // in listing order: the oldest of so many tags that are not taken belongs to a hidden file, or to no file
        private final Map<String, String> tagByKey = new LinkedHashMap<>();

        void add(String key, String etag)
        {
            tagByKey.put(key, etag);
            if (tagByKey.size() > MOST_KEYS) {
                tagByKey.remove(tagByKey.keySet().iterator().next());
            }
        }

        /** Returns the tag of an object and removes it. */
        public Optional<String> take(String key)
        {
            return Optional.ofNullable(tagByKey.remove(key));
        }
    }

    record Expectation(String key, String etag)
    {}

    /** Runs {@code action} with every GET of object {@code key} conditional on {@code etag}. */
    public static <T> T expecting(String key, String etag, Action<T> action)
            throws IOException
    {
        Expectation outer = EXPECTED.get();
        EXPECTED.set(new Expectation(key, etag));
        try {
            return action.run();
        }
        finally {
            restore(EXPECTED, outer);
        }
    }

    /** Runs {@code action} and adds the tags from its listings and HEADs to {@code seen}. */
    public static <T> T collecting(Seen seen, Action<T> action)
            throws IOException
    {
        Seen outer = SEEN.get();
        SEEN.set(seen);
        try {
            return action.run();
        }
        finally {
            restore(SEEN, outer);
        }
    }

    /** Adds the tags of a listing if this thread collects tags. */
    public static void saw(ListObjectsV2Result listing)
    {
        Seen seen = SEEN.get();
        if (seen != null) {
            listing.getObjectSummaries().stream()
                    .filter(object -> object.getETag() != null)
                    .forEach(object -> seen.add(object.getKey(), object.getETag()));
        }
    }

    /** Returns the tag that a GET of {@code key} by this thread must find, or null. */
    static @Nullable String expected(String key)
    {
        Expectation expectation = EXPECTED.get();
        return expectation != null && expectation.key().equals(key) ? expectation.etag() : null;
    }

    static @Nullable Seen seen()
    {
        return SEEN.get();
    }

    private static <T> void restore(ThreadLocal<@Nullable T> local, @Nullable T outer)
    {
        if (outer == null) {
            local.remove();
        }
        else {
            local.set(outer);
        }
    }
}
