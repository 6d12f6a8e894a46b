// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.filesystem;

import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.hive.HiveFileContext;
import io.eyrie.footer.ColumnRange;
import io.eyrie.footer.FooterFile;
import io.eyrie.footer.OpenedFiles;
import org.apache.hadoop.fs.Path;

import java.util.List;
import java.util.Optional;

/** Provides the file of the split for which this thread is creating a page source, after the page cache's file system has opened the file. */
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

    /** Returns the statistics of the query for which this thread is opening a split of a file; empty if it is not opening one. */
    public static Optional<RuntimeStats> statsOf(Path path)
    {
        return OpeningSplit.contextOf(path).map(HiveFileContext::getStats);
    }
}
