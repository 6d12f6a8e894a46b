/**
 * Lists many partitions of a table on S3 by one request: {@code PrefixListings} knows the scans of queries, {@code PrefixScan} plans a scan's pages, {@code KeyPage}
 * is one, and {@code PrefixFileSystem} gives Presto's own lister what it holds of a directory. What a page does not answer for sure is listed as Presto lists.
 */
@NullMarked
package io.eyrie.presto.listing;

import org.jspecify.annotations.NullMarked;
