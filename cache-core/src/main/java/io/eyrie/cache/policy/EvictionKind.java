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
    };

    /** A policy without groups for the entries of one store. */
    public abstract EvictionPolicy create(Entries entries);
}
