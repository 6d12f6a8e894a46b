// SPDX-License-Identifier: Apache-2.0
/**
 * Puts the page cache in front of the connector's file system: thin adapters between Presto's Hadoop 2 interfaces and {@code io.eyrie.cache.page},
 * which contains all reading logic.
 *
 * <p>Invariant: bytes go through the cache only if the file's version is known, from the split or from a HEAD request; Presto opens every other file
 * itself.
 */
@NullMarked
package io.eyrie.presto.filesystem;

import org.jspecify.annotations.NullMarked;
