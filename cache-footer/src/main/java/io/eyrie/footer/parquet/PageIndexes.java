package io.eyrie.footer.parquet;

import com.facebook.presto.parquet.ParquetDataSource;
import com.facebook.presto.parquet.RichColumnDescriptor;
import com.facebook.presto.parquet.predicate.Predicate;
import com.facebook.presto.parquet.reader.ColumnIndexFilterUtils;
import io.eyrie.footer.FooterFile;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.internal.filter2.columnindex.ColumnIndexStore;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * Where Presto's Parquet reader gets column and offset indexes: it asks the data source that it has made by itself. Presto-hive's one call of
 * {@link ColumnIndexFilterUtils} is relinked to this class. Thread-safe.
 */
public final class PageIndexes
{
    // the reader asks for a footer and for its indexes on one thread; weak, as the thread outlives the reader
    private static final ThreadLocal<Known> LATEST = new ThreadLocal<>();

    private record Known(WeakReference<ParquetDataSource> source, FooterFile file, PageIndexCaches caches)
    {}

    private PageIndexes()
    {}

    /** Tells which version of a file a data source reads, on the thread that reads it. */
    static void know(ParquetDataSource source, FooterFile file, PageIndexCaches caches)
    {
        LATEST.set(new Known(new WeakReference<>(source), requireNonNull(file, "file is null"), requireNonNull(caches, "caches is null")));
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
        return ColumnIndexFilterUtils.getColumnIndexStore(
                predicate,
                known != null && known.source().refersTo(source) ? new IndexedParquetDataSource(source, known.file(), known.caches()) : source,
                block,
                descriptors,
                enabled);
    }
}
