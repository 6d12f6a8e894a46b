/** Tests of journals. */
@NullMarked
package io.eyrie.cache.journal;

import org.jspecify.annotations.NullMarked;
