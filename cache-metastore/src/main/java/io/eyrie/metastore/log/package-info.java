/**
 * A metastore's notification log and the position in it up to which the cache has applied what changed. Called by the cache alone. Invariant: the position is
 * read before anything that it vouches for is loaded, and rises only when what the events say was applied.
 */
@NullMarked
package io.eyrie.metastore.log;

import org.jspecify.annotations.NullMarked;
