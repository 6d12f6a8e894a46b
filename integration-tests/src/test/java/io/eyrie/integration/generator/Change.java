// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration.generator;

/** A change of a table between two rounds of queries. */
enum Change
{
    INSERT, INSERT_OVERWRITE, DELETE_PARTITION, ADD_COLUMN, RENAME_COLUMN, DROP_COLUMN, RECREATE,
    /** Replaces a file by another one of the same length, without the metastore's knowledge. */
    WRITE_OVER,
    /** Exchanges two files, without the metastore's knowledge. */
    SWAP_FILES,
    /** Without the metastore's knowledge. */
    EMPTY_FILE;

    boolean isBehindTheMetastore()
    {
        return this == WRITE_OVER || this == SWAP_FILES || this == EMPTY_FILE;
    }
}
