// SPDX-License-Identifier: Apache-2.0
/**
 * A caching implementation of Presto's metastore interface that validates each cached value with the metastore before it returns it. The plugin creates it.
 * Invariant: a query sees every change that was made through the metastore before the query began.
 */
@NullMarked
package io.eyrie.metastore;

import org.jspecify.annotations.NullMarked;
