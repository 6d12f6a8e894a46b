// SPDX-License-Identifier: Apache-2.0
/**
 * Shares loads between callers that miss the same entry of a cache at the same time. The caches of all layers use it; it does no I/O, starts no
 * threads and holds no lock while a value is loaded. Reads of pages do not use it, because one step plans all parts of a read, a part joins fetches of
 * other ranges, and threads of a pool fetch.
 *
 * <p>Invariants: <i>L1</i> callers that miss a key together load it once, as long as no load fails, is late or is overtaken by an invalidation.
 * <i>L2</i> a failure reaches only the caller whose load failed. <i>L3</i> no caller waits longer than the deadline, or after an interrupt. <i>L4</i> a
 * value whose load began before an invalidation is not stored after it, and no caller that arrives later receives it.
 */
@NullMarked
package io.eyrie.cache.flight;

import org.jspecify.annotations.NullMarked;
