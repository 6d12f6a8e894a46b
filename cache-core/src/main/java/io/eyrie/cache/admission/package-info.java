/** Deciding what is worth being written to the cache. */
@NullMarked
package io.eyrie.cache.admission;

import org.jspecify.annotations.NullMarked;
