/** Tests of the cache as a whole. */
@NullMarked
package io.eyrie.cache;

import org.jspecify.annotations.NullMarked;
