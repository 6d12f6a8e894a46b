package io.eyrie.testing.link;

import static java.util.Objects.requireNonNull;

/**
 * A request that passed the link, or that the link itself answered or broke.
 *
 * @param status of the response, 0 while there is none
 * @param responseBytes of the response's body that were passed on, chunk headers not counted
 */
public record RecordedRequest(LinkRequest request, int status, long responseBytes)
{
    public RecordedRequest
    {
        requireNonNull(request, "request is null");
    }

    /** For exact access tests: method, target, range, status and bytes in one line. */
    @Override
    public String toString()
    {
        return request.method() + " " + request.target() + request.range().map(range -> " " + range).orElse("") + " -> " + status + ", "
                + responseBytes;
    }
}
