/**
 * Whole values by key in the store that keeps the pages: results of fragments, raw footers. They share its capacity, scopes, quotas and
 * invalidation.
 *
 * <p>Invariants: <i>B1</i> a blob is given back as it was put, or not at all. <i>B2</i> no failure of the store is thrown.
 * <i>B3</i> whoever puts does not wait for a disk. <i>B4</i> lookups = hits + misses + declined + errors.
 */
@NullMarked
package io.eyrie.cache.blob;

import org.jspecify.annotations.NullMarked;
