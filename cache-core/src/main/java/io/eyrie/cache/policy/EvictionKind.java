package io.eyrie.cache.policy;

import io.eyrie.cache.policy.EvictionPolicy.Entries;

/** The eviction policies that there are. */
public enum EvictionKind
{
    /** The entry leaves whose last hit is longest ago. */
    LRU {
        @Override
        public EvictionPolicy create(Entries entries)
        {
            return new LruPolicy(entries);
        }
    },
    /** What is read once leaves after a short while; what is read again stays until it is not. Scans leave little behind. */
    S3_FIFO {
        @Override
        public EvictionPolicy create(Entries entries)
        {
            return new S3FifoPolicy(entries);
        }
    };

    /** What {@code cache.eviction-policy} is if nobody says so. */
    public static final EvictionKind DEFAULT = S3_FIFO;

    /** A policy without groups for the entries of one store. */
    public abstract EvictionPolicy create(Entries entries);
}
