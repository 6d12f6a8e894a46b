package io.eyrie.cache.page;

/** What kind of bytes a page holds, in the order in which they are worth keeping. */
public enum StorageClass
{
    /** Tails, indexes and results: small, dear to lose. Evicted after {@code DATA} only. */
    FOOTER,
    DATA,
}
