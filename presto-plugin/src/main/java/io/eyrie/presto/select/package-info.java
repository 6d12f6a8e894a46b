/**
 * Selecting in the store (S3 Select): which splits of text tables may be read so, and what becomes of a store that refuses. Called by Presto's page sources when
 * they open a split.
 *
 * <p>Invariant: a query's answer is that of the plain read, and where nothing proves that, the split is read plainly, through the page cache.
 */
@NullMarked
package io.eyrie.presto.select;

import org.jspecify.annotations.NullMarked;
