// SPDX-License-Identifier: Apache-2.0
/** Tests of the metastore cache's bindings. */
@NullMarked
package io.eyrie.presto.metastore;

import org.jspecify.annotations.NullMarked;
