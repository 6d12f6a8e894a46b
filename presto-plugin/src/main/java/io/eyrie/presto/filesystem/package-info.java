/**
 * The connector's file system with the page cache in front: thin adapters between Presto's Hadoop 2 interfaces and
 * {@code io.eyrie.cache.page}, which holds all reading logic.
 *
 * <p>Invariant: bytes go through the cache only where the file's version is known, from the split or from a HEAD; every other open
 * is Presto's own.
 */
@NullMarked
package io.eyrie.presto.filesystem;

import org.jspecify.annotations.NullMarked;
