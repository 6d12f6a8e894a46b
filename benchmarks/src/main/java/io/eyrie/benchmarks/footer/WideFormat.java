// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.footer;

import io.eyrie.footer.FooterFile;
import io.eyrie.footer.FooterStore;
import io.eyrie.footer.RangeReader;

import java.io.IOException;

/** A columnar format, read with Presto's reader. */
interface WideFormat
{
    String PATH = "s3://bench/wide";
    /** The bigint column that is read. */
    int COLUMN = 1;

    /** The RaptorX guide's size of each cache, for Eyrie's and Presto's caches. */
    long CACHE_BYTES = 300L << 20;

    /** Returns the format's name in results. */
    String title();

    /** Returns the bytes of a file of bigint columns. A group is a stripe, or the format's equivalent. */
    byte[] write(int columns, int groups, int rowsPerGroup)
            throws IOException;

    /** Creates a reader with Eyrie's caches, empty in memory. */
    OneColumn ours(FooterFile file, FooterStore store);

    /** Creates a reader with Presto's own caches, empty. */
    OneColumn stock();

    /** Creates a reader without caches. */
    OneColumn none();

    /** Opens a file, reads one column and returns its sum. */
    interface OneColumn
    {
        long sum(RangeReader bytes, long lengthBytes)
                throws IOException;
    }
}
