// SPDX-License-Identifier: Apache-2.0
/** Binds the versioned metastore cache and the file lists into the connector, instead of Presto's own. */
@NullMarked
package io.eyrie.presto.metastore;

import org.jspecify.annotations.NullMarked;
