/** Recording what the cache was asked for. */
@NullMarked
package io.eyrie.cache.trace;

import org.jspecify.annotations.NullMarked;
