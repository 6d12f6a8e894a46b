// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fs;

import org.apache.hadoop.fs.BulkDelete;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import static java.util.Objects.requireNonNull;

/** Reports the paths that a bulk delete of the wrapped file system may have deleted. */
final class SeenBulkDelete
        implements BulkDelete
{
    private final BulkDelete wrapped;
    private final Consumer<Path> changed;

    private SeenBulkDelete(BulkDelete wrapped, Consumer<Path> changed)
    {
        this.wrapped = requireNonNull(wrapped, "wrapped is null");
        this.changed = requireNonNull(changed, "changed is null");
    }

    /** Creates a bulk delete. Its type is the interface, so that callers can be loaded where a Hadoop lacks it, see {@link HadoopVersion}. */
    static BulkDelete create(FileSystem fileSystem, Path base, Consumer<Path> changed)
            throws IOException
    {
        return new SeenBulkDelete(fileSystem.createBulkDelete(base), changed);
    }

    @Override
    public int pageSize()
    {
        return wrapped.pageSize();
    }

    @Override
    public Path basePath()
    {
        return wrapped.basePath();
    }

    @Override
    public List<Map.Entry<Path, String>> bulkDelete(Collection<Path> paths)
            throws IOException
    {
        try {
            return wrapped.bulkDelete(paths);
        }
        finally {
            paths.forEach(changed);
        }
    }

    @Override
    public @Nullable IOStatistics getIOStatistics()
    {
        return wrapped.getIOStatistics();
    }

    @Override
    public void close()
            throws IOException
    {
        wrapped.close();
    }
}
