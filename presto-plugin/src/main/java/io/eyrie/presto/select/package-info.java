// SPDX-License-Identifier: Apache-2.0
/**
 * Reads splits of text tables with S3 Select: decides which splits are eligible, and how to proceed when a store refuses. Called by Presto's page
 * sources when they open a split.
 *
 * <p>Invariant: a query returns the same result as with a plain read. Unless this is proven, the split is read plainly, through the page cache.
 */
@NullMarked
package io.eyrie.presto.select;

import org.jspecify.annotations.NullMarked;
