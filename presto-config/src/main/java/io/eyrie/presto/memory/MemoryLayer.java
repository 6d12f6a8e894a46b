// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.memory;

/** The layers that hold heap memory. */
public enum MemoryLayer
{
    PAGE_INDEX("page index", "cache.index-memory", 4),
    FETCHES("fetches", "cache.fetch-memory", 32),
    WRITE_BUFFER("write buffer", "cache.write-buffer", 16),
    ORC_FILE_TAILS("ORC file tails", "hive.orc.file-tail-cache-size", 2),
    ORC_STRIPE_FOOTERS("ORC stripe footers", "hive.orc.stripe-footer-cache-size", 2),
    ORC_STRIPE_STREAMS("ORC stripe streams", "hive.orc.stripe-stream-cache-size", 4),
    ORC_ROW_GROUP_INDEXES("ORC row-group indexes", "hive.orc.row-group-index-cache-size", 2),
    PARQUET_FOOTERS("Parquet footers", "hive.parquet.metadata-cache-size", 2),
    /** Column and offset indexes, half each. */
    PARQUET_INDEXES("Parquet column and offset indexes", "half of hive.parquet.metadata-cache-size", 1),
    METASTORE("metadata", "cache.metastore.max-retained-size", 8),
    FILE_LISTS("file lists", "hive.file-status-cache.max-retained-size", 8),
    FRAGMENT_RECORDINGS("recordings of fragment results", "fragment-result-cache.max-in-flight-size", 16),
    FRAGMENT_RESULTS("recently used fragment results", "64MB, or 0.25 % of the heap if that is more", 4),
    FRAGMENT_JOINS("idle build sides of cached joins", "fragment-result-cache.joined.max-build-size", 4),
    FRAGMENT_PROOFS("statistics of files and columns", "64MB, or 0.25 % of the heap if that is more", 2),
    /** Data of the schema {@code cache} about tables, files, queries and savings. */
    LEDGER("tables of the schema cache", "20MB", 20);

    private static final int MEGABYTE_BITS = 20;

    private final String title;
    private final String limitedBy;
    private final long floorBytes;

    MemoryLayer(String title, String limitedBy, long floorMegabytes)
    {
        this.title = title;
        this.limitedBy = limitedBy;
        this.floorBytes = floorMegabytes << MEGABYTE_BITS;
    }

    public String title()
    {
        return title;
    }

    /** Returns the property with its limit, or the limit itself if no property sets it. */
    public String limitedBy()
    {
        return limitedBy;
    }

    /** Returns its minimum, unless its limit is lower: with less memory it would do more harm than good. */
    long floorBytes()
    {
        return floorBytes;
    }
}
