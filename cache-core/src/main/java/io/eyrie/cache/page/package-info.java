/**
 * Reading remote files through pages: the {@link io.eyrie.cache.page.PageCache} that adapters call, and the
 * {@link io.eyrie.cache.page.PageStore} that keeps the pages' bytes. All reading logic (ranges to pages, misses,
 * coalescing, deadlines) lives here.
 *
 * <p>Invariants: <i>R1</i> a reader gets the bytes of its file version or the remote store's own exception, never
 * anything else. <i>R2</i> no failure of the cache fails a read. <i>R3</i> a reader never waits for a disk write.
 * <i>R4</i> lookups = hits + misses + declined + errors.
 */
@NullMarked
package io.eyrie.cache.page;

import org.jspecify.annotations.NullMarked;
