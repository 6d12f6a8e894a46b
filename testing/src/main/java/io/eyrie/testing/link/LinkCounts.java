// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.link;

import java.util.EnumMap;
import java.util.Map;

/**
 * The requests and bytes that have passed a link up to one moment.
 *
 * @param byKind every kind has an entry
 */
public record LinkCounts(Map<RequestKind, Count> byKind)
{
    public LinkCounts
    {
        byKind = Map.copyOf(byKind);
    }

    /**
     * Requests of one kind.
     *
     * @param responseBytes forwarded body bytes of successful (2xx) responses
     */
    public record Count(long requests, long responseBytes)
    {}

    /** Returns the count of one kind. */
    public Count of(RequestKind kind)
    {
        return byKind.getOrDefault(kind, new Count(0, 0));
    }

    /** Returns the number of requests of all kinds. */
    public long requests()
    {
        return byKind.values().stream().mapToLong(Count::requests).sum();
    }

    /** Returns the number of bytes of objects that were read. */
    public long dataBytes()
    {
        return of(RequestKind.GET_DATA).responseBytes();
    }

    /** Returns the requests and bytes since {@code earlier}. */
    public LinkCounts minus(LinkCounts earlier)
    {
        Map<RequestKind, Count> difference = new EnumMap<>(RequestKind.class);
        for (RequestKind kind : RequestKind.values()) {
            difference.put(kind, new Count(
                    of(kind).requests() - earlier.of(kind).requests(),
                    of(kind).responseBytes() - earlier.of(kind).responseBytes()));
        }
        return new LinkCounts(difference);
    }
}
