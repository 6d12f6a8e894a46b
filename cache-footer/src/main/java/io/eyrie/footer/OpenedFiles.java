package io.eyrie.footer;

import java.util.List;
import java.util.Optional;

/** Tells which version of a file this thread has opened: Presto's readers know paths and modification times alone. */
public interface OpenedFiles
{
    /** The file that this thread is making a reader for; empty if its version is not known, and nothing of it may be cached. */
    Optional<FooterFile> current();

    /** The same, if it is at this path. */
    default Optional<FooterFile> current(String path)
    {
        return current().filter(file -> file.version().path().equals(path));
    }

    /** Hears of a row group of the file that this thread is making a reader for: the chunks that the reader will come to read, if it reads the row group at all. */
    default void rowGroup(List<ColumnRange> chunks)
    {}
}
