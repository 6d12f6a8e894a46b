package io.eyrie.testing.link;

import java.util.EnumMap;
import java.util.Map;

/**
 * What has passed a link until one moment.
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
     * @param responseBytes of the bodies of successful (2xx) responses that were passed on
     */
    public record Count(long requests, long responseBytes)
    {}

    /** The count of one kind. */
    public Count of(RequestKind kind)
    {
        return byKind.getOrDefault(kind, new Count(0, 0));
    }

    /** Requests of every kind. */
    public long requests()
    {
        return byKind.values().stream().mapToLong(Count::requests).sum();
    }

    /** Bytes of objects that were read. */
    public long dataBytes()
    {
        return of(RequestKind.GET_DATA).responseBytes();
    }

    /** What has passed since {@code earlier}. */
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
