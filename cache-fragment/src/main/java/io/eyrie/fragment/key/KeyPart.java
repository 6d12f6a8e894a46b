// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.key;

/** The parts of a key besides the leaf itself. Each key has all of them. */
public enum KeyPart
{
    /** The engine, the plugin, and the stored format: intermediate states and block encodings are specific to a build. */
    BUILD,
    /** The bytes: the store, the principal, the path, and the version of the file. */
    FILE,
    /** The split's range within the file. */
    RANGE,
    /** How bytes become rows: format, serde, and their parameters, of the table and of the partition. */
    SERDE,
    /** The table's columns and their types. */
    TABLE,
    /** The mapping of the file's columns to the table's, and the types that differ in the partition. */
    SCHEMA,
    /** Values of partition columns that the leaf uses: two partitions may share a location. */
    PARTITION,
    /** The rows of the file that belong to the bucket, and how the bucket was converted. */
    BUCKET,
    /** The parts of the layout that filter rows before the leaf sees them. */
    LAYOUT,
    /** The reader's settings from the catalog and the session: zone, columns by name, null padding, and so on. */
    READER,
    /** The session properties that functions read. */
    SESSION,
}
