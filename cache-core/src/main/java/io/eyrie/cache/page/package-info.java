// SPDX-License-Identifier: Apache-2.0
/**
 * Reads remote files through pages. Adapters call the {@link io.eyrie.cache.page.PageCache}; the {@link io.eyrie.cache.store.PageStore} stores the
 * bytes of the pages. All reading logic (ranges to pages, misses, coalescing, deadlines) is here.
 *
 * <p>Invariants: <i>R1</i> a reader gets the bytes of its file version or the remote store's own exception, never anything else. <i>R2</i> no
 * failure of the cache fails a read. <i>R3</i> a reader never waits for a disk write. <i>R4</i> lookups = hits + misses + declined + errors.
 */
@NullMarked
package io.eyrie.cache.page;

import org.jspecify.annotations.NullMarked;
