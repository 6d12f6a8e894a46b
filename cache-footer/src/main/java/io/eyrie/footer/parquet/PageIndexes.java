package io.eyrie.footer.parquet;

import com.facebook.presto.parquet.ParquetDataSource;
import com.facebook.presto.parquet.RichColumnDescriptor;
import com.facebook.presto.parquet.predicate.Predicate;
import com.facebook.presto.parquet.reader.ColumnIndexFilterUtils;
import io.eyrie.cache.log.LimitedLog;
import io.eyrie.footer.ColumnRange;
import io.eyrie.footer.FooterFile;
import io.eyrie.footer.OpenedFiles;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.apache.parquet.internal.filter2.columnindex.ColumnIndexStore;

import java.lang.System.Logger.Level;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import static java.util.Objects.requireNonNull;
import static org.apache.parquet.crypto.HiddenColumnChunkMetaData.isHiddenColumn;

/**
 * Where Presto's Parquet reader gets column and offset indexes: it asks the data source that it has made by itself. Presto-hive's one call of
 * {@link ColumnIndexFilterUtils}, for each row group of a split, is relinked to this class; it tells which columns are asked for, too. Thread-safe.
 */
public final class PageIndexes
{
    private static final LimitedLog log = new LimitedLog(PageIndexes.class, Level.WARNING);
    // the reader asks for a footer and for its indexes on one thread; weak, as the thread outlives the reader
    private static final ThreadLocal<Known> LATEST = new ThreadLocal<>();

    private record Known(WeakReference<ParquetDataSource> source, FooterFile file, PageIndexCaches caches, OpenedFiles files)
    {}

    private PageIndexes()
    {}

    /** Tells which version of a file a data source reads, on the thread that reads it. */
    static void know(ParquetDataSource source, FooterFile file, PageIndexCaches caches, OpenedFiles files)
    {
        LATEST.set(new Known(
                new WeakReference<>(source),
                requireNonNull(file, "file is null"),
                requireNonNull(caches, "caches is null"),
                requireNonNull(files, "files is null")));
    }

    /** Stands for {@link ColumnIndexFilterUtils#getColumnIndexStore}. */
    public static Optional<ColumnIndexStore> getColumnIndexStore(
            Predicate predicate,
            ParquetDataSource source,
            BlockMetaData block,
            Map<List<String>, RichColumnDescriptor> descriptors,
            boolean enabled)
    {
        Known known = LATEST.get();
        if (known == null || !known.source().refersTo(source)) {
            return ColumnIndexFilterUtils.getColumnIndexStore(predicate, source, block, descriptors, enabled);
        }
        if (!enabled) {
            // with it, pages of chunks are read, which ones it does not say here
            reportChunks(known.files(), block, descriptors);
        }
        return ColumnIndexFilterUtils.getColumnIndexStore(
                predicate,
                new IndexedParquetDataSource(source, known.file(), known.caches()),
                block,
                descriptors,
                enabled);
    }

    /* Files of other writers may lack any field that the format leaves optional: that must not fail their readers. */
    private static void reportChunks(OpenedFiles files, BlockMetaData block, Map<List<String>, RichColumnDescriptor> descriptors)
    {
        try {
            files.rowGroup(chunks(block, descriptors));
        }
        catch (RuntimeException e) {
            log.log("Cannot locate the column chunks of a Parquet row group. They are not read ahead", e);
        }
    }

    private static List<ColumnRange> chunks(BlockMetaData block, Map<List<String>, RichColumnDescriptor> descriptors)
    {
        Set<ColumnPath> asked = descriptors.values().stream().map(column -> ColumnPath.get(column.getPath())).collect(Collectors.toSet());
        return block.getColumns()
                .stream()
                .filter(chunk -> !isHiddenColumn(chunk) && asked.contains(chunk.getPath()))
                .map(chunk -> new ColumnRange(chunk.getPath().toDotString(), chunk.getStartingPos(), chunk.getTotalSize()))
                .toList();
    }
}
