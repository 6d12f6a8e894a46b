// SPDX-License-Identifier: Apache-2.0
/**
 * Caches whole values by key in the store of the pages: fragment results, raw footers, the state of the daily write budget. They share its
 * capacity, scopes, quotas and invalidation.
 *
 * <p>Invariants: <i>B1</i> a blob is returned as it was put, or not at all. <i>B2</i> no failure of the store is thrown. <i>B3</i> a caller of
 * {@code put} does not wait for a disk. <i>B4</i> lookups = hits + misses + declined + errors.
 */
@NullMarked
package io.eyrie.cache.blob;

import org.jspecify.annotations.NullMarked;
