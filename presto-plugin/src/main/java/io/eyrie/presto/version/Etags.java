// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.version;

import com.amazonaws.Request;
import com.amazonaws.services.s3.model.ListObjectsV2Result;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Passes entity tags, by thread, between code that calls Presto's S3 file system and {@link EtagRequestHandler}, which sees the file system's requests: its
 * methods have no place for entity tags, nor for the start of a listing. S3 requests run on the calling thread.
 */
public final class Etags
{
    private static final Calls NONE = new Calls(null, null);
    private static final ThreadLocal<@Nullable Calls> CURRENT = new ThreadLocal<>();

    private Etags()
    {}

    /** A call that does I/O. */
    public interface Action<T>
    {
        T run()
                throws IOException;
    }

    /** Observes the requests of a thread. Used by one thread. */
    public interface RequestObserver
    {
        /** Called before a listing is sent. It may change the request. */
        default void beforeListing(Request<?> request)
        {}

        /** Called with the response to a listing. */
        void onListing(ListObjectsV2Result listing);

        /** Called with the entity tag in the response to a HEAD. */
        default void onHead(String key, String etag)
        {}
    }

    /** The entity tags in the responses to this thread's requests, by object key. Used by one thread. */
    public static final class ResponseTags
            implements RequestObserver
    {
        static final int MOST_KEYS = 10_000;

        // in listing order: the oldest of so many tags that are not taken belongs to a hidden file, or to no file
        private final Map<String, String> tagByKey = new LinkedHashMap<>();

        @Override
        public void onListing(ListObjectsV2Result listing)
        {
            listing.getObjectSummaries().stream().filter(object -> object.getETag() != null).forEach(object -> onHead(object.getKey(), object
                    .getETag()));
        }

        @Override
        public void onHead(String key, String etag)
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

    private record Expectation(String key, String etag)
    {}

    private record Calls(@Nullable Expectation expected, @Nullable RequestObserver observer)
    {}

    /** Runs {@code action} with every GET of object {@code key} conditional on {@code etag}. */
    public static <T> T expecting(String key, String etag, Action<T> action)
            throws IOException
    {
        return during(new Calls(new Expectation(key, etag), current().observer()), action);
    }

    /** Runs {@code action} while {@code observer}, instead of any outer one, observes its listings and HEADs. */
    public static <T> T observing(RequestObserver observer, Action<T> action)
            throws IOException
    {
        return during(new Calls(current().expected(), observer), action);
    }

    private static <T> T during(Calls calls, Action<T> action)
            throws IOException
    {
        Calls outer = CURRENT.get();
        CURRENT.set(calls);
        try {
            return action.run();
        }
        finally {
            if (outer == null) {
                CURRENT.remove();
            }
            else {
                CURRENT.set(outer);
            }
        }
    }

    private static Calls current()
    {
        Calls current = CURRENT.get();
        return current == null ? NONE : current;
    }

    /** Returns the observer of this thread's requests, if there is one. */
    public static Optional<RequestObserver> observer()
    {
        return Optional.ofNullable(current().observer());
    }

    /** Returns the tag that a GET of {@code key} by this thread must find, or null. */
    static @Nullable String expected(String key)
    {
        Expectation expectation = current().expected();
        return expectation != null && expectation.key().equals(key) ? expectation.etag() : null;
    }
}
