package io.eyrie.presto.filesystem;

import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.hive.HiveFileContext;
import io.eyrie.footer.ColumnRange;
import io.eyrie.footer.FooterFile;
import io.eyrie.footer.OpenedFiles;
import org.apache.hadoop.fs.Path;

import java.util.List;
import java.util.Optional;

/** The file of the split that this thread is making a page source for, once the page cache's file system has opened it. */
public final class OpenedSplits
        implements OpenedFiles
{
    @Override
    public Optional<FooterFile> current()
    {
        return OpeningSplit.openedFile();
    }

    @Override
    public void rowGroup(List<ColumnRange> chunks)
    {
        OpeningSplit.rowGroup(chunks);
    }

    /** The statistics of the query for which this thread is opening a split of a file; empty if it is not. */
    public static Optional<RuntimeStats> statsOf(Path path)
    {
        return OpeningSplit.contextOf(path).map(HiveFileContext::getStats);
    }
}
