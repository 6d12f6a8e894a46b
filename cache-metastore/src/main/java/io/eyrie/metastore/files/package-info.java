// SPDX-License-Identifier: Apache-2.0
/**
 * Cached file lists of directories that the operator declares sealed, under the version of the partition or table that the directory belongs to. The plugin's
 * directory lister calls it. Invariant: a listing of an open directory, or one that began before an invalidation, is never cached.
 */
@NullMarked
package io.eyrie.metastore.files;

import org.jspecify.annotations.NullMarked;
