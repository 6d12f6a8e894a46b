/**
 * A Hadoop {@code FileSystem} over another one, whose files of known version are read through the page cache. Called by Hadoop, which makes
 * {@link io.eyrie.fs.EyrieFileSystem} by its name in {@code fs.<scheme>.impl}; {@link io.eyrie.fs.EyrieKeys} are its properties.
 *
 * <p>Invariants: F1 whatever is not a read of a file of known version is the wrapped file system's own. F2 bytes of two versions are never mixed,
 * nor cached under each other's name. F3 what was cached for one user is not served to another.
 */
@NullMarked
package io.eyrie.fs;

import org.jspecify.annotations.NullMarked;
