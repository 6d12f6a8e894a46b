/** Binds the versioned metastore cache into the connector, in the place of Presto's own. */
@NullMarked
package io.eyrie.presto.metastore;

import org.jspecify.annotations.NullMarked;
