// SPDX-License-Identifier: Apache-2.0
/**
 * Identifies remote content: the store, the file, its version, and the table it belongs to. Plain values, used by every other package and by
 * every caller of the cache.
 *
 * <p>Invariant: contents that may differ never have equal {@link io.eyrie.cache.file.FileVersion}s, as far as the store reports.
 */
@NullMarked
package io.eyrie.cache.file;

import org.jspecify.annotations.NullMarked;
