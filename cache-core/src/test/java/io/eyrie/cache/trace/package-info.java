/** Tests. */
@NullMarked
package io.eyrie.cache.trace;

import org.jspecify.annotations.NullMarked;
