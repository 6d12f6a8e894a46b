// SPDX-License-Identifier: Apache-2.0
/** Rate-limited logging. Used inside the cache; does no I/O of its own and depends on no other package. */
@NullMarked
package io.eyrie.cache.log;

import org.jspecify.annotations.NullMarked;
