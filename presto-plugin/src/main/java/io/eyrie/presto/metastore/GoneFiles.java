package io.eyrie.presto.metastore;

import com.amazonaws.services.s3.model.AmazonS3Exception;
import com.facebook.presto.common.ErrorCode;
import com.facebook.presto.common.Page;
import com.facebook.presto.common.block.Block;
import com.facebook.presto.common.block.LazyBlock;
import com.facebook.presto.hive.HiveSplit;
import com.facebook.presto.spi.ConnectorPageSource;
import com.facebook.presto.spi.PrestoException;
import com.facebook.presto.spi.RecordPageSource;
import com.facebook.presto.spi.connector.ConnectorPageSourceProvider;
import com.google.common.base.Throwables;
import io.eyrie.presto.filesystem.FileChangedException;
import io.eyrie.presto.version.SplitEtag;

import java.io.FileNotFoundException;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Lets the engine run a query again that did not find, or not as it was listed, a file that a kept list names: Presto's own error, marked as one that another try may not
 * meet. The engine tries again, before the first row, as often as {@code query_retry_limit} allows; by then the lists that the query was given are forgotten.
 */
public final class GoneFiles
{
    private static final int NOT_FOUND = 404;

    private GoneFiles()
    {}

    /** The same provider, watched. */
    public static ConnectorPageSourceProvider watched(ConnectorPageSourceProvider provider)
    {
        return (transaction, session, split, layout, columns, context, statistics) -> {
            Supplier<ConnectorPageSource> source = () -> provider.createPageSource(transaction, session, split, layout, columns, context, statistics);
            if (split instanceof HiveSplit file && SplitEtag.isOfKeptList(file.getFileSplit().getExtraFileInfo())) {
                return watched(marking(source), columns.size());
            }
            return source.get();
        };
    }

    private static ConnectorPageSource watched(ConnectorPageSource source, int columns)
    {
        return source instanceof RecordPageSource records
                ? new RecordPageSource(
                        IntStream.range(0, columns).mapToObj(records.getCursor()::getType).toList(),
                        new WatchedCursor(records.getCursor()))
                : new WatchedPageSource(source);
    }

    /** What a read gives; if it fails because the file is gone or another one, the failure is marked. */
    static <T> T marking(Supplier<T> read)
    {
        try {
            return read.get();
        }
        catch (PrestoException e) {
            if (Throwables.getCausalChain(e).stream().noneMatch(GoneFiles::saysThatTheFileIsGone)) {
                throw e;
            }
            ErrorCode code = e.getErrorCode();
            ErrorCode marked = new ErrorCode(code.getCode(), code.getName(), code.getType(), true);
            throw new PrestoException(() -> marked, e.getMessage(), e.getCause());
        }
    }

    /** Blocks that are read later are marked then. */
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
                || cause instanceof FileChangedException
                || (cause instanceof AmazonS3Exception store && store.getStatusCode() == NOT_FOUND);
    }
}
