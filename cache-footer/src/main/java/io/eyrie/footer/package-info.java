/**
 * What readers of columnar files read of a file before its data, kept in memory as objects and in the segment store as bytes. Wired by the plugin; the
 * formats are in {@code orc} and {@code parquet}.
 *
 * <p>Invariants: <i>F1</i> a key holds the version of the file: an entry of another version is never given. <i>F2</i> a load that failed leaves
 * nothing. <i>F3</i> no failure of the cache is thrown; those of the remote file and of the reader pass through. <i>F4</i> hits + misses +
 * failures = lookups.
 */
@NullMarked
package io.eyrie.footer;

import org.jspecify.annotations.NullMarked;
