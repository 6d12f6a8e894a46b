// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.listing;

import com.amazonaws.Request;
import com.amazonaws.services.s3.model.ListObjectsV2Result;
import com.facebook.presto.hive.s3.PrestoS3FileSystem;
import io.eyrie.presto.version.Etags;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

import java.io.IOException;

import static java.util.Objects.requireNonNull;

/**
 * Requests the keys under a directory after some key through Presto's own S3 file system, with its client, credentials, endpoint and retries. The file system's
 * recursive listing sends the request without a start; this class adds the start and takes the store's response.
 */
final class PageRequest
        implements Etags.RequestObserver
{
    private final String after;
    private @Nullable ListObjectsV2Result answer;

    private PageRequest(String after)
    {
        this.after = requireNonNull(after, "after is null");
    }

    /**
     * Returns the response, with as many keys as the store returns at once.
     *
     * @throws IOException if the listing fails, or sends no request; exceptions of the client propagate, too
     */
    static ListObjectsV2Result list(PrestoS3FileSystem s3, Path directory, String after)
            throws IOException
    {
        PageRequest request = new PageRequest(after);
        Etags.observing(request, () -> s3.listFiles(directory, true));
        if (request.answer == null) {
            throw new IOException("Presto's listing of " + directory + " sent no request to the store");
        }
        return request.answer;
    }

    @Override
    public void beforeListing(Request<?> request)
    {
        request.addParameter("start-after", after);
    }

    @Override
    public void onListing(ListObjectsV2Result listing)
    {
        answer = listing;
    }
}
