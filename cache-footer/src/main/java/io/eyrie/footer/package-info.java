// SPDX-License-Identifier: Apache-2.0
/**
 * Caches the metadata that readers of columnar files read before the data, in memory as objects and in the segment store as bytes. Wired by the
 * plugin; the formats are in {@code orc} and {@code parquet}.
 *
 * <p>Invariants: <i>F1</i> a key contains the version of the file: an entry of another version is never returned. <i>F2</i> a failed load leaves
 * nothing. <i>F3</i> the cache never throws its own failures; those of the remote file and of the reader pass through. <i>F4</i> hits + misses +
 * failures = lookups.
 */
@NullMarked
package io.eyrie.footer;

import org.jspecify.annotations.NullMarked;
