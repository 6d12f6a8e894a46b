/** Tests of listing many partitions by one request. */
@NullMarked
package io.eyrie.presto.listing;

import org.jspecify.annotations.NullMarked;
