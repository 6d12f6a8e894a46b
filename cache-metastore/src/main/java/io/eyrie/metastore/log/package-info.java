// SPDX-License-Identifier: Apache-2.0
/**
 * Reads a metastore's notification log up to a position and reports its changes to the cache. Only the cache calls it. Invariant: the position is read before
 * the values that it validates are loaded, and advances only when the changes of the events were applied.
 */
@NullMarked
package io.eyrie.metastore.log;

import org.jspecify.annotations.NullMarked;
