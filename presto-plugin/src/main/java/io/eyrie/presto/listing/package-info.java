// SPDX-License-Identifier: Apache-2.0
/**
 * Lists many partitions of a table on S3 with one request: {@code PrefixListings} knows the scans of queries, {@code PrefixScan} plans a scan's pages,
 * {@code KeyPage} is one page, and {@code PrefixFileSystem} passes its objects of a directory to Presto's own lister. Presto lists every directory that a page
 * does not answer for certain.
 */
@NullMarked
package io.eyrie.presto.listing;

import org.jspecify.annotations.NullMarked;
