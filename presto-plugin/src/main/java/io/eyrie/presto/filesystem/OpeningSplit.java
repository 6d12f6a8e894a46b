package io.eyrie.presto.filesystem;

import com.facebook.presto.hive.HiveFileContext;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.page.CacheMode;
import io.eyrie.footer.ColumnRange;
import io.eyrie.footer.FooterFile;
import io.eyrie.footer.FooterKind;
import io.eyrie.presto.footer.FooterRuntimeStats;
import io.eyrie.presto.ledger.Ledger;
import io.eyrie.presto.session.CacheModes;
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
 * The split that this thread is opening. Hive's record readers open files by path, in the thread that creates them; readers of columnar files ask for
 * footers there.
 */
final class OpeningSplit
{
    // of one file: more are not read ahead
    private static final int MOST_CHUNKS = 100_000;
    private static final ThreadLocal<@Nullable OpeningSplit> CURRENT = new ThreadLocal<>();

    private final Path path;
    private final String partition;
    private final HiveFileContext context;
    private final CacheMode mode;
    private final Set<FooterKind> bypassed;
    private final List<List<ColumnRange>> rowGroups = new ArrayList<>();
    private long chunkCount;
    private Optional<FooterFile> opened = Optional.empty();
    private @Nullable CachedInputStream stream;

    /**
     * A split.
     *
     * @param partition the name of the partition that the file belongs to; {@code ""} if its table has none
     * @param mode what the session does with footers
     * @param bypassed what it wants loaded in any case
     */
    OpeningSplit(Path path, String partition, HiveFileContext context, CacheMode mode, Set<FooterKind> bypassed)
    {
        this.mode = requireNonNull(mode, "mode is null");
        this.partition = requireNonNull(partition, "partition is null");
        this.path = requireNonNull(path, "path is null");
        this.context = requireNonNull(context, "context is null");
        this.bypassed = requireNonNull(bypassed, "bypassed is null");
    }

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

    /**
     * Has the chunks of a row group fetched at a time when the first is read: not before, as it may be that none is.
     *
     * @param habits of the scan that asks for a set of columns
     */
    void readColumnsAhead(Function<Set<String>, ColumnHabits> habits)
    {
        CachedInputStream reading = stream;
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

    /** The scope of a table as it is for a file: with the partition, where this thread is opening a split of it. */
    static Scope scopeOf(Path path, Scope table)
    {
        return of(path).map(split -> new Scope(table.catalog(), table.schema(), table.table(), split.partition)).orElse(table);
    }

    /** Tells which version of a file this thread has opened. */
    static void opened(Path path, FileVersion version, Scope scope, Ledger.OpenedFile file, CachedInputStream stream)
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

    /** The file of the split, if it has been opened in a known version. */
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
