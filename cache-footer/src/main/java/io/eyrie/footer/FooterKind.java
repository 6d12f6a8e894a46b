package io.eyrie.footer;

/** What is cached of a file, each kind with bounds of its own. */
public enum FooterKind
{
    /** An ORC or DWRF file's postscript, footer and stripe statistics. */
    ORC_FILE_TAIL,
    ORC_STRIPE_FOOTER,
    /** The bytes of a row index or bloom filter. */
    ORC_STRIPE_STREAM,
    /** A parsed row index, with its bloom filters. */
    ORC_ROW_GROUP_INDEX,
    PARQUET_FOOTER,
    /** What the pages of a column chunk hold. */
    PARQUET_COLUMN_INDEX,
    /** Where the pages of a column chunk lie. */
    PARQUET_OFFSET_INDEX,
}
