/** The time by which everything in the store ages. For the packages of cache-core. */
@NullMarked
package io.eyrie.cache.clock;

import org.jspecify.annotations.NullMarked;
