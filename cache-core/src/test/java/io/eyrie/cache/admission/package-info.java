/** Tests. */
@NullMarked
package io.eyrie.cache.admission;

import org.jspecify.annotations.NullMarked;
