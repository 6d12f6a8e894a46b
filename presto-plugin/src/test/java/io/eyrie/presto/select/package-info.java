/** Tests selection in the store. */
@NullMarked
package io.eyrie.presto.select;

import org.jspecify.annotations.NullMarked;
