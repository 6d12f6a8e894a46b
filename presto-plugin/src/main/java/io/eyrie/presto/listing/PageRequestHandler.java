// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.listing;

import com.amazonaws.Request;
import com.amazonaws.Response;
import com.amazonaws.handlers.RequestHandler2;
import com.amazonaws.services.s3.model.ListObjectsV2Request;
import com.amazonaws.services.s3.model.ListObjectsV2Result;

/** Sets the start key of the listing that a {@link PageRequest} sends. The SDK finds and calls it like {@link io.eyrie.presto.version.EtagRequestHandler}. */
public final class PageRequestHandler
        extends RequestHandler2
{
    @Override
    public void beforeRequest(Request<?> request)
    {
        PageRequest page = PageRequest.current();
        if (page != null && request.getOriginalRequest() instanceof ListObjectsV2Request) {
            request.addParameter("start-after", page.after());
        }
    }

    @Override
    public void afterResponse(Request<?> request, Response<?> response)
    {
        PageRequest page = PageRequest.current();
        if (page != null && response.getAwsResponse() instanceof ListObjectsV2Result listing) {
            page.answered(listing);
        }
    }
}
