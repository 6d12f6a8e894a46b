/** Tests over the plugin folder as it is packed. */
@NullMarked
package io.eyrie.presto.packaging;

import org.jspecify.annotations.NullMarked;
