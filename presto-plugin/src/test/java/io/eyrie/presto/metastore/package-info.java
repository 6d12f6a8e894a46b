/** Tests of the metastore cache's bindings. */
@NullMarked
package io.eyrie.presto.metastore;

import org.jspecify.annotations.NullMarked;
