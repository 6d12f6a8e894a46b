// SPDX-License-Identifier: Apache-2.0
/**
 * A Hadoop {@code FileSystem} that wraps another one and reads its files of known version through the page cache. Called by Hadoop, which
 * instantiates {@link io.eyrie.fs.EyrieFileSystem} by its name in {@code fs.<scheme>.impl}; {@link io.eyrie.fs.EyrieKeys} are its properties.
 *
 * <p>Invariants: F1 every operation other than reading a file of known version is left to the wrapped file system. F2 bytes of two versions are never
 * mixed, nor cached under each other's name. F3 data cached for one user is not served to another.
 */
@NullMarked
package io.eyrie.fs;

import org.jspecify.annotations.NullMarked;
