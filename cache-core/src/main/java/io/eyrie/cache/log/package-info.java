/** Logging that cannot flood. Used inside the cache; does no I/O of its own and knows no other package. */
@NullMarked
package io.eyrie.cache.log;

import org.jspecify.annotations.NullMarked;
