// SPDX-License-Identifier: Apache-2.0
/**
 * Pools open streams of remote files beyond the life of their readers: the next reader of the same file version and principal continues with one,
 * if opening costs the store a request. Used by adapters of remote clients; nothing here does I/O of its own.
 *
 * <p>Invariants: <i>H1</i> no two readers have one handle at a time. <i>H2</i> a handle that failed is closed and not reused. <i>H3</i> the
 * number of idle handles is limited, and none is idle longer than the idle time. <i>H4</i> a handle is closed once.
 */
@NullMarked
package io.eyrie.cache.handle;

import org.jspecify.annotations.NullMarked;
