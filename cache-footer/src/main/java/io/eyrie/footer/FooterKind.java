// SPDX-License-Identifier: Apache-2.0
package io.eyrie.footer;

/** The kinds of cached file metadata, each with its own bounds. */
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
    /** The statistics of the pages of a column chunk. */
    PARQUET_COLUMN_INDEX,
    /** The positions of the pages of a column chunk. */
    PARQUET_OFFSET_INDEX,
}
