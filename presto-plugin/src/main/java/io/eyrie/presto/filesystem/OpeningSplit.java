// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.filesystem;

import com.facebook.presto.hive.HiveFileContext;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.page.CacheMode;
import io.eyrie.cache.page.ReadListener;
import io.eyrie.footer.ColumnRange;
import io.eyrie.footer.FooterFile;
import io.eyrie.footer.FooterKind;
import io.eyrie.presto.catalog.CacheModes;
import io.eyrie.presto.footer.FooterRuntimeStats;
import io.eyrie.presto.ledger.Ledger;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import static java.util.Objects.requireNonNull;

/**
 * The split that this thread is opening. Hive's record readers open files by path on the thread that creates them; readers of columnar files request
 * footers on that thread.
 */
final class OpeningSplit
{
    // per file; further row groups are not read ahead
    private static final int MOST_CHUNKS = 100_000;
    private static final ThreadLocal<@Nullable OpeningSplit> CURRENT = new ThreadLocal<>();

    private final Path path;
    private final String partition;
    private final HiveFileContext context;
    private final CacheMode mode;
    private final Set<FooterKind> bypassed;
    private final Optional<ReadListener> ordered;
    private final List<List<ColumnRange>> rowGroups = new ArrayList<>();
    private long chunkCount;
    private Optional<FooterFile> opened = Optional.empty();
    private @Nullable PageCacheInputStream stream;

    /**
     * Creates the context of a split.
     *
     * @param partition the name of the file's partition; {@code ""} if the table is not partitioned
     * @param mode the session's mode for footers
     * @param bypassed the kinds of footers that the session always loads
     * @param ordered present if an operator wants the file cached. Its data is then cached at the first read, regardless of how much the query has written;
     *         table rules and the daily write budget of the disks still apply. The listener is notified of the reads, in addition to the query's own
     */
    OpeningSplit(Path path, String partition, HiveFileContext context, CacheMode mode, Set<FooterKind> bypassed, Optional<ReadListener> ordered)
    {
        this.ordered = requireNonNull(ordered, "ordered is null");
        this.mode = requireNonNull(mode, "mode is null");
        this.partition = requireNonNull(partition, "partition is null");
        this.path = requireNonNull(path, "path is null");
        this.context = requireNonNull(context, "context is null");
        this.bypassed = requireNonNull(bypassed, "bypassed is null");
    }

    /** Runs {@code opener} while this split is the one that the thread is opening, and returns its result. */
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

    /**
     * Fetches the chunks of a row group together when its first chunk is read. It does not fetch earlier, because the row group may not be read at
     * all.
     *
     * @param habits returns the habits of a scan by the columns that it requests
     */
    void readColumnsAhead(Function<Set<String>, ColumnHabits> habits)
    {
        PageCacheInputStream reading = stream;
        if (reading != null && !rowGroups.isEmpty()) {
            Set<String> columns = rowGroups.get(0).stream().map(ColumnRange::column).collect(Collectors.toUnmodifiableSet());
            reading.setReadAhead(new ColumnReadAhead(habits.apply(columns), rowGroups, reading.file()::prefetch));
        }
    }

    static void rowGroup(List<ColumnRange> chunks)
    {
        OpeningSplit current = CURRENT.get();
        if (current != null && chunks.size() > 1 && current.chunkCount + chunks.size() <= MOST_CHUNKS) {
            current.chunkCount += chunks.size();
            current.rowGroups.add(chunks);
        }
    }

    static Optional<HiveFileContext> contextOf(Path path)
    {
        return of(path).map(split -> split.context);
    }

    /** Returns the listener of the file's reads, if an operator wants the file cached that this thread opens. */
    static Optional<ReadListener> orderedBy(Path path)
    {
        return of(path).flatMap(split -> split.ordered);
    }

    /** Returns the scope of a file of a table: with the partition if this thread is opening a split of the file, else the table's scope. */
    static Scope scopeOf(Path path, Scope table)
    {
        return of(path).map(split -> new Scope(table.catalog(), table.schema(), table.table(), split.partition)).orElse(table);
    }

    /** Records the version in which this thread opened a file. */
    static void opened(Path path, FileVersion version, Scope scope, Ledger.OpenedFile file, PageCacheInputStream stream)
    {
        of(path).ifPresent(split -> {
            split.stream = stream;
            split.opened = Optional.of(new FooterFile(
                    version,
                    scope,
                    CacheModes.here(split.mode, split.context.isCacheable()),
                    split.bypassed,
                    new FooterRuntimeStats(split.context.getStats(), file, split.context.isCacheable(), split.mode)));
        });
    }

    /** Returns the file of the split, if the split's file was opened in a known version. */
    static Optional<FooterFile> openedFile()
    {
        OpeningSplit current = CURRENT.get();
        return current == null ? Optional.empty() : current.opened;
    }

    private static Optional<OpeningSplit> of(Path path)
    {
        return Optional.ofNullable(CURRENT.get()).filter(split -> split.path.equals(path));
    }
}
