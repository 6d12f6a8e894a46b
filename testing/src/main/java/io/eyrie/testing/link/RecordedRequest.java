// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.link;

import static java.util.Objects.requireNonNull;

/**
 * A request that the link forwarded, or that it answered or broke itself.
 *
 * @param status of the response, 0 while there is none
 * @param responseBytes forwarded bytes of the response's body, without chunk headers
 */
public record RecordedRequest(LinkRequest request, int status, long responseBytes)
{
    public RecordedRequest
    {
        requireNonNull(request, "request is null");
    }

    /** Returns method, target, range, status and bytes in one line, for exact access tests. */
    @Override
    public String toString()
    {
        return request.method() + " " + request.target() + request.range().map(range -> " " + range).orElse("") + " -> " + status + ", "
                + responseBytes;
    }
}
