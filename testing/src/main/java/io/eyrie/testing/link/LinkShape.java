package io.eyrie.testing.link;

import java.time.Duration;

import static java.util.Objects.requireNonNull;

/**
 * How slow a link is.
 *
 * @param requestDelay added to each request before it is passed on
 * @param bytesPerSecond of bodies, a connection, each way; 0 for no limit
 */
public record LinkShape(Duration requestDelay, long bytesPerSecond)
{
    /** Our usual remote store: 30 ms a request, 50 MB/s a connection. */
    public static final LinkShape STANDARD = new LinkShape(Duration.ofMillis(30), 50_000_000);

    /** A store far away: 100 ms a request, 10 MB/s a connection; there I/O dominates, as it does in large clusters. */
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
