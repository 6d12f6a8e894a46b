package io.eyrie.presto.filesystem;

import io.eyrie.footer.FooterFile;
import io.eyrie.footer.OpenedFiles;

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
}
