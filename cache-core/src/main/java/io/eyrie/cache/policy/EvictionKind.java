// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.policy;

import io.eyrie.cache.policy.EvictionPolicy.EntryInfo;

/** The available eviction policies. */
public enum EvictionKind
{
    /** Evicts the least recently used entry. */
    LRU {
        @Override
        public EvictionPolicy create(EntryInfo entries)
        {
            return new LruPolicy(entries);
        }
    },
    /** Evicts entries soon if they are read once, and retains those that are read again until that stops. Scans leave little behind. */
    S3_FIFO {
        @Override
        public EvictionPolicy create(EntryInfo entries)
        {
            return new S3FifoPolicy(entries);
        }
    };

    /** The default of {@code cache.eviction-policy}. */
    public static final EvictionKind DEFAULT = S3_FIFO;

    /** Creates a policy without groups for the entries of one store. */
    public abstract EvictionPolicy create(EntryInfo entries);
}
