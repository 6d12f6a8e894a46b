// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.metastore;

import com.amazonaws.services.s3.model.AmazonS3Exception;
import com.facebook.presto.common.ErrorCode;
import com.facebook.presto.common.Page;
import com.facebook.presto.common.block.Block;
import com.facebook.presto.common.block.LazyBlock;
import com.facebook.presto.hive.HiveSplit;
import com.facebook.presto.spi.ConnectorPageSource;
import com.facebook.presto.spi.ConnectorSplit;
import com.facebook.presto.spi.PrestoException;
import com.google.common.base.Throwables;
import io.eyrie.presto.filesystem.ListedFileChangedException;
import io.eyrie.presto.version.SplitEtag;

import java.io.FileNotFoundException;
import java.util.function.Supplier;

/**
 * Makes a query's failure retriable if a file of a cached list is missing or is not the file that was listed: Presto's own error, marked as retriable. The
 * engine retries, before the first row, as often as {@code query_retry_limit} allows; by then the lists that the query received are discarded.
 */
public final class StaleListRetries
{
    private static final int NOT_FOUND = 404;

    private StaleListRetries()
    {}

    /** Opens a split, and marks such failures if its file is of a cached list. */
    public static ConnectorPageSource watched(ConnectorSplit split, Supplier<ConnectorPageSource> opener)
    {
        return split instanceof HiveSplit file && SplitEtag.isOfKeptList(file.getFileSplit().getExtraFileInfo())
                ? new WatchedPageSource(marking(opener))
                : opener.get();
    }

    /** Returns the result of a read; marks its failure if the file is missing or is another one. */
    static <T> T marking(Supplier<T> read)
    {
        try {
            return read.get();
        }
        catch (PrestoException e) {
            if (Throwables.getCausalChain(e).stream().noneMatch(StaleListRetries::saysThatTheFileIsGone)) {
                throw e;
            }
            ErrorCode code = e.getErrorCode();
            ErrorCode marked = new ErrorCode(code.getCode(), code.getName(), code.getType(), true);
            throw new PrestoException(() -> marked, e.getMessage(), e.getCause());
        }
    }

    /** Returns the page with lazy blocks that mark failures when they are loaded. */
    static Page marking(Page page)
    {
        Block[] blocks = new Block[page.getChannelCount()];
        for (int i = 0; i < blocks.length; i++) {
            Block block = page.getBlock(i);
            blocks[i] = block instanceof LazyBlock
                    ? new LazyBlock(block.getPositionCount(), lazy -> lazy.setBlock(marking(block::getLoadedBlock)))
                    : block;
        }
        return new Page(page.getPositionCount(), blocks);
    }

    private static boolean saysThatTheFileIsGone(Throwable cause)
    {
        return cause instanceof FileNotFoundException
                || cause instanceof ListedFileChangedException
                || (cause instanceof AmazonS3Exception store && store.getStatusCode() == NOT_FOUND);
    }
}
