// SPDX-License-Identifier: Apache-2.0
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
 * Supplies column and offset indexes to Presto's Parquet reader, which requests them from a data source that it creates itself. The only call of
 * {@link ColumnIndexFilterUtils} in presto-hive, made for each row group of a split, is relinked to this class; the call also reveals the requested
 * columns. Thread-safe.
 */
public final class PageIndexes
{
    private static final LimitedLog log = new LimitedLog(PageIndexes.class, Level.WARNING);
    // the reader requests a footer and its indexes on one thread; weak, because the thread outlives the reader
    private static final ThreadLocal<KnownSource> LATEST = new ThreadLocal<>();

    private record KnownSource(WeakReference<ParquetDataSource> source, FooterFile file, PageIndexCaches caches, OpenedFiles files)
    {}

    private PageIndexes()
    {}

    /** Records which version of a file a data source reads, on the thread that reads it. */
    static void know(ParquetDataSource source, FooterFile file, PageIndexCaches caches, OpenedFiles files)
    {
        LATEST.set(new KnownSource(
                new WeakReference<>(source),
                requireNonNull(file, "file is null"),
                requireNonNull(caches, "caches is null"),
                requireNonNull(files, "files is null")));
    }

    /** Replaces {@link ColumnIndexFilterUtils#getColumnIndexStore}. */
    public static Optional<ColumnIndexStore> getColumnIndexStore(
            Predicate predicate,
            ParquetDataSource source,
            BlockMetaData block,
            Map<List<String>, RichColumnDescriptor> descriptors,
            boolean enabled)
    {
        KnownSource known = LATEST.get();
        if (known == null || !known.source().refersTo(source)) {
            return ColumnIndexFilterUtils.getColumnIndexStore(predicate, source, block, descriptors, enabled);
        }
        if (!enabled) {
            // if enabled, the reader reads only some pages of the chunks, and the call does not show which
            reportChunks(known.files(), block, descriptors);
        }
        return ColumnIndexFilterUtils.getColumnIndexStore(
                predicate,
                new IndexedParquetDataSource(source, known.file(), known.caches()),
                block,
                descriptors,
                enabled);
    }

    /* Files of other writers may lack any field that is optional in the format; this must not fail their readers. */
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
