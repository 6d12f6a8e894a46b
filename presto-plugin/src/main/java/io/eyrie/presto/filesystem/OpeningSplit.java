package io.eyrie.presto.filesystem;

import com.facebook.presto.hive.HiveFileContext;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

import java.util.Optional;
import java.util.function.Supplier;

/** The file of the split that this thread is opening. Hive's record readers open files by path, in the thread that creates them. */
record OpeningSplit(Path path, HiveFileContext context)
{
    private static final ThreadLocal<@Nullable OpeningSplit> CURRENT = new ThreadLocal<>();

    /** What {@code opener} gives, run while this split is the one that the thread is opening. */
    <T> T during(Supplier<T> opener)
    {
        CURRENT.set(this);
        try {
            return opener.get();
        }
        finally {
            CURRENT.remove();
        }
    }

    static Optional<HiveFileContext> contextOf(Path path)
    {
        OpeningSplit current = CURRENT.get();
        return current != null && current.path.equals(path) ? Optional.of(current.context) : Optional.empty();
    }
}
