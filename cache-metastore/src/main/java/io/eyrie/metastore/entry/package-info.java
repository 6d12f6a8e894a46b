// SPDX-License-Identifier: Apache-2.0
/**
 * The cache of metastore values, bounded in bytes and in entries, and invalidated by subject. The metastore wrapper calls it. Invariant: a value that was
 * loaded while its subject changed is never cached.
 */
@NullMarked
package io.eyrie.metastore.entry;

import org.jspecify.annotations.NullMarked;
