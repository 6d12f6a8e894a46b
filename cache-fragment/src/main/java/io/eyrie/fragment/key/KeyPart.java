package io.eyrie.fragment.key;

/** The parts of a key beside the leaf itself. Each key has all of them. */
public enum KeyPart
{
    /** The engine, the plugin, the stored format: intermediate states and encodings of blocks mean what this build says. */
    BUILD,
    /** Which bytes: the store, for whom, the path, the version of the file. */
    FILE,
    /** Which of the file's rows: the range of the split. */
    RANGE,
    /** How bytes become rows: format, serde, their parameters, the table's and the partition's. */
    SERDE,
    /** What columns of the file are which columns of the table, and with which types. */
    SCHEMA,
    /** Values of partition columns that the leaf uses: two partitions may share a location. */
    PARTITION,
    /** Rows that the bucket keeps of the file's, and how it was converted. */
    BUCKET,
    /** What of the layout lets rows out before the leaf sees them. */
    LAYOUT,
    /** How the reader is set up: zone, columns by name, null padding and so on, of the catalog and the session. */
    READER,
    /** What functions ask of the session. */
    SESSION,
}
