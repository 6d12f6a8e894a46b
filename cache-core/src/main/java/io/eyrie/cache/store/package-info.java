// SPDX-License-Identifier: Apache-2.0
/**
 * Defines where pages are stored: the {@link io.eyrie.cache.store.PageStore}, the keys and tags of its pages, its outcomes and statistics, and the
 * {@link io.eyrie.cache.store.PageWriter}, which writes to it in the background. Implemented by {@code segment}; used by {@code page} and
 * {@code blob}, and as plain values by {@code admission} and {@code trace}. Knows no readers and no remote store.
 *
 * <p>Invariants: <i>P1</i> a read returns only the bytes that were written for this granule of this page. <i>P2</i> no method of a store throws
 * because of the state of a disk. <i>P3</i> the bytes waiting to be written stay within a limit, and a slow device does not delay the others.
 */
@NullMarked
package io.eyrie.cache.store;

import org.jspecify.annotations.NullMarked;
