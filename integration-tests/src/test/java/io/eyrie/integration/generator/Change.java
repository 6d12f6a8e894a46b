package io.eyrie.integration.generator;

/** What happens to a table between two rounds of queries. */
enum Change
{
    INSERT, INSERT_OVERWRITE, DELETE_PARTITION, ADD_COLUMN, RENAME_COLUMN, DROP_COLUMN, RECREATE,
    /** Behind the back of the metastore: one file by another one of the same length. */
    WRITE_OVER,
    /** Behind the back of the metastore: each of two files by the other one. */
    SWAP_FILES,
    /** Behind the back of the metastore. */
    EMPTY_FILE;

    boolean isBehindTheMetastore()
    {
        return this == WRITE_OVER || this == SWAP_FILES || this == EMPTY_FILE;
    }
}
