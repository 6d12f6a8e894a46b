package io.eyrie.presto.listing;

import com.amazonaws.services.s3.model.ListObjectsV2Result;
import com.facebook.presto.hive.s3.PrestoS3FileSystem;
import io.eyrie.presto.version.Etags;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

import java.io.IOException;

import static java.util.Objects.requireNonNull;

/**
 * One request for the keys under a directory after some key, by Presto's own S3 file system: its client, credentials, endpoint and retries. Its recursive listing makes
 * the request, without the start; {@link PageRequestHandler} adds that and takes the answer as the store gave it. S3 requests run on the thread that asks for them.
 */
final class PageRequest
{
    private static final ThreadLocal<@Nullable PageRequest> CURRENT = new ThreadLocal<>();

    private final String after;
    private @Nullable ListObjectsV2Result answer;

    private PageRequest(String after)
    {
        this.after = requireNonNull(after, "after is null");
    }

    /**
     * The answer, as many keys as the store gives at once.
     *
     * @throws IOException as the listing does, and any exception of the client's
     */
    static ListObjectsV2Result list(PrestoS3FileSystem s3, Path directory, String after)
            throws IOException
    {
        PageRequest request = new PageRequest(after);
        CURRENT.set(request);
        try {
            // into tags of its own: those that the thread collects are another listing's
            Etags.collecting(new Etags.Seen(), () -> s3.listFiles(directory, true));
        }
        finally {
            CURRENT.remove();
        }
        if (request.answer == null) {
            throw new IOException("Presto's listing of " + directory + " asked the store for nothing");
        }
        return request.answer;
    }

    static @Nullable PageRequest current()
    {
        return CURRENT.get();
    }

    String after()
    {
        return after;
    }

    void answered(ListObjectsV2Result listing)
    {
        answer = listing;
    }
}
