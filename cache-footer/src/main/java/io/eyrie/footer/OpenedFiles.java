// SPDX-License-Identifier: Apache-2.0
package io.eyrie.footer;

import java.util.List;
import java.util.Optional;

/** Provides the version of the file that a thread has opened: Presto's readers only know paths and modification times. */
public interface OpenedFiles
{
    /** Returns the file for which this thread is creating a reader; empty if its version is not known, and nothing of it may be cached. */
    Optional<FooterFile> current();

    /** Returns the same file, if it is at this path. */
    default Optional<FooterFile> current(String path)
    {
        return current().filter(file -> file.version().path().equals(path));
    }

    /**
     * Reports a row group of the file for which this thread is creating a reader: the chunks that the reader will read, if it reads the row group at
     * all.
     */
    default void rowGroup(List<ColumnRange> chunks)
    {}
}
