package io.eyrie.benchmarks.footer;

import io.eyrie.footer.FooterFile;
import io.eyrie.footer.FooterStore;
import io.eyrie.footer.RangeReader;

import java.io.IOException;

/** A columnar format, read by Presto's reader. */
interface WideFormat
{
    String PATH = "s3://bench/wide";
    /** The column that is read, of bigints. */
    int COLUMN = 1;

    /** The RaptorX guide's bound of each kind, ours and Presto's. */
    long CACHE_BYTES = 300L << 20;

    /** What results call it. */
    String title();

    /** The bytes of a file of bigint columns; a group is a stripe, or what the format has in its place. */
    byte[] write(int columns, int groups, int rowsPerGroup)
            throws IOException;

    /** A process with Eyrie's caches, empty in memory. */
    OneColumn ours(FooterFile file, FooterStore store);

    /** A process with Presto's own, empty. */
    OneColumn stock();

    /** A process without any. */
    OneColumn none();

    /** Opens a file and reads one column, whose sum it gives. */
    interface OneColumn
    {
        long sum(RangeReader bytes, long lengthBytes)
                throws IOException;
    }
}
