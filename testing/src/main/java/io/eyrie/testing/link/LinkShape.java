// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.link;

import java.time.Duration;

import static java.util.Objects.requireNonNull;

/**
 * The delay and the bandwidth of a link.
 *
 * @param requestDelay added to each request before it is forwarded
 * @param bytesPerSecond limit for bodies, per connection and direction; 0 for no limit
 */
public record LinkShape(Duration requestDelay, long bytesPerSecond)
{
    /** The standard remote store: 30 ms per request, 50 MB/s per connection. */
    public static final LinkShape STANDARD = new LinkShape(Duration.ofMillis(30), 50_000_000);

    /** A distant store: 100 ms per request, 10 MB/s per connection. I/O dominates here, as it does in large clusters. */
    public static final LinkShape FAR = new LinkShape(Duration.ofMillis(100), 10_000_000);

    /** As fast as the machine. */
    public static final LinkShape UNSHAPED = new LinkShape(Duration.ZERO, 0);

    public LinkShape
    {
        requireNonNull(requestDelay, "requestDelay is null");
        if (requestDelay.isNegative() || bytesPerSecond < 0) {
            throw new IllegalArgumentException("A link is not faster than at once: " + requestDelay + ", " + bytesPerSecond + " bytes/s");
        }
    }
}
