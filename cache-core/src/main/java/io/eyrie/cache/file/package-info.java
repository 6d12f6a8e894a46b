/**
 * Names of remote content: which store, which file, which version of it, and which table it belongs to. Plain values,
 * used by every other package and by every caller of the cache.
 *
 * <p>Invariant: two contents that may differ never have equal {@link io.eyrie.cache.file.FileVersion}s, as far as
 * the store tells.
 */
@NullMarked
package io.eyrie.cache.file;

import org.jspecify.annotations.NullMarked;
