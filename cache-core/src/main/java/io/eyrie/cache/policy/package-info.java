/**
 * Which entries of a full store leave it. An {@code EvictionPolicy} knows entries by their numbers alone, keeps what it knows in arrays of
 * primitives, and does no I/O. Called by the store that owns the entries. Decision 0010 says why the default is what it is.
 */
@NullMarked
package io.eyrie.cache.policy;

import org.jspecify.annotations.NullMarked;
