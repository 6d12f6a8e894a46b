package io.eyrie.footer.parquet;

import com.facebook.presto.parquet.ParquetDataSource;
import com.facebook.presto.parquet.RichColumnDescriptor;
import com.facebook.presto.parquet.predicate.Predicate;
import com.facebook.presto.parquet.reader.ColumnIndexFilterUtils;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.eyrie.footer.FooterFile;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.internal.filter2.columnindex.ColumnIndexStore;

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
    // by identity, as long as the reader has the data source
    private static final Cache<ParquetDataSource, Known> SOURCES = Caffeine.newBuilder().executor(Runnable::run).weakKeys().build();

    private record Known(FooterFile file, PageIndexCaches caches)
    {}

    private PageIndexes()
    {}

    /** Tells which version of a file a data source reads. */
    static void know(ParquetDataSource source, FooterFile file, PageIndexCaches caches)
    {
        SOURCES.put(source, new Known(requireNonNull(file, "file is null"), requireNonNull(caches, "caches is null")));
    }

    /** Stands for {@link ColumnIndexFilterUtils#getColumnIndexStore}. */
    public static Optional<ColumnIndexStore> getColumnIndexStore(
            Predicate predicate,
            ParquetDataSource source,
            BlockMetaData block,
            Map<List<String>, RichColumnDescriptor> descriptors,
            boolean enabled)
    {
        Known known = SOURCES.getIfPresent(source);
        return ColumnIndexFilterUtils.getColumnIndexStore(
                predicate,
                known == null ? source : new IndexedParquetDataSource(source, known.file(), known.caches()),
                block,
                descriptors,
                enabled);
    }
}
