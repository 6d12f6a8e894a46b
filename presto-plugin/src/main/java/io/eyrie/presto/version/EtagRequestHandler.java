// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.version;

import com.amazonaws.AmazonWebServiceRequest;
import com.amazonaws.Request;
import com.amazonaws.Response;
import com.amazonaws.handlers.RequestHandler2;
import com.amazonaws.services.s3.model.AmazonS3Exception;
import com.amazonaws.services.s3.model.GetObjectMetadataRequest;
import com.amazonaws.services.s3.model.GetObjectRequest;
import com.amazonaws.services.s3.model.ListObjectsV2Request;
import com.amazonaws.services.s3.model.ListObjectsV2Result;
import com.amazonaws.services.s3.model.ObjectMetadata;
import com.amazonaws.services.s3.model.S3Object;
import org.jspecify.annotations.Nullable;

/**
 * Makes GETs conditional on the entity tag that {@link Etags} expects, and passes listings and HEADs to its observer.
 *
 * <p>The connector's AWS SDK finds it through {@code com/amazonaws/global/handlers/request.handler2s} and calls it for every request of every S3 client in the
 * plugin, on the requesting thread.
 */
public final class EtagRequestHandler
        extends RequestHandler2
{
    private static final int PRECONDITION_FAILED = 412;

    @Override
    public void beforeRequest(Request<?> request)
    {
        String etag = expectedBy(request.getOriginalRequest());
        if (etag != null) {
            request.addHeader("If-Match", '"' + etag + '"');
        }
        if (request.getOriginalRequest() instanceof ListObjectsV2Request) {
            Etags.observer().ifPresent(observer -> observer.beforeListing(request));
        }
    }

    /** Checks the response, too: not every store supports If-Match. */
    @Override
    public void afterResponse(Request<?> request, Response<?> response)
    {
        AmazonWebServiceRequest original = request.getOriginalRequest();
        Object answer = response.getAwsResponse();
        String etag = expectedBy(original);
        if (etag != null && answer instanceof S3Object object) {
            String found = object.getObjectMetadata().getETag();
            if (found != null && !found.equals(etag)) {
                object.getObjectContent().abort();
                throw new StaleVersionException(object.getKey(), etag, found);
            }
        }
        if (answer instanceof ListObjectsV2Result listing) {
            Etags.observer().ifPresent(observer -> observer.onListing(listing));
        }
        else if (answer instanceof ObjectMetadata metadata && metadata.getETag() != null && original instanceof GetObjectMetadataRequest head) {
            Etags.observer().ifPresent(observer -> observer.onHead(head.getKey(), metadata.getETag()));
        }
    }

    /** Throws if the store rejects a conditional GET. Without this, the SDK would return null, on which its caller would fail and retry. */
    @Override
    public void afterError(Request<?> request, @Nullable Response<?> response, Exception e)
    {
        String etag = expectedBy(request.getOriginalRequest());
        if (etag != null && e instanceof AmazonS3Exception s3 && s3.getStatusCode() == PRECONDITION_FAILED) {
            throw new StaleVersionException(((GetObjectRequest) request.getOriginalRequest()).getKey(), etag, "another");
        }
    }

    private static @Nullable String expectedBy(AmazonWebServiceRequest original)
    {
        return original instanceof GetObjectRequest get ? Etags.expected(get.getKey()) : null;
    }
}
