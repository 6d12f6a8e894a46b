// SPDX-License-Identifier: Apache-2.0
/**
 * What the coordinator knows of the columns of files, as the files' own footers state it: read in the background, stored beside the metadata, and used to drop
 * splits without a matching row before the engine sees them (decision 0043). Only {@code plugin} and {@code console} use it.
 *
 * <p>Invariants: the facts of a file are those of its very version, and Presto's reader has opened that version; no query waits for a footer.
 */
@NullMarked
package io.eyrie.presto.statistics;

import org.jspecify.annotations.NullMarked;
