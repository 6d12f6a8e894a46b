// SPDX-License-Identifier: Apache-2.0
/**
 * Decides which entries a full store evicts. An {@code EvictionPolicy} identifies entries only by their numbers, stores its data in arrays of
 * primitives, and does no I/O. Called by the store that owns the entries. Decision 0010 explains the default.
 */
@NullMarked
package io.eyrie.cache.policy;

import org.jspecify.annotations.NullMarked;
