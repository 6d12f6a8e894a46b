package io.eyrie.cache.page;

/** What kind of bytes a page holds, in the order in which they are worth keeping. */
public enum StorageClass
{
    /** Tails and indexes: small, dear to lose. */
    FOOTER,
    /** What was computed of data. */
    RESULT,
    DATA,
}
