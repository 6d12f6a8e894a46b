// SPDX-License-Identifier: Apache-2.0
package io.eyrie.footer.parquet;

import com.facebook.presto.parquet.ParquetDataSource;
import com.facebook.presto.parquet.cache.ParquetFileMetadata;
import com.facebook.presto.parquet.cache.ParquetMetadataSource;
import io.eyrie.footer.FooterCache;
import io.eyrie.footer.FooterChunks;
import io.eyrie.footer.FooterFile;
import io.eyrie.footer.FooterKey;
import io.eyrie.footer.FooterStore;
import io.eyrie.footer.FooterTail;
import io.eyrie.footer.OpenedFiles;
import org.apache.parquet.crypto.InternalFileDecryptor;

import java.io.IOException;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * Returns footers from memory, from the store, or from the file, if the file's version is known. The delegate handles other files, and files that are
 * read with keys: parsing such a footer initializes the reader's decryptor, and its contents are only for readers that have the keys. Thread-safe.
 */
public final class CachedParquetMetadataSource
        implements ParquetMetadataSource
{
    private final ParquetMetadataSource delegate;
    private final OpenedFiles files;
    private final FooterCache<ParquetFileMetadata> cache;
    private final FooterStore store;
    private final PageIndexCaches indexes;

    /** Creates a source over the one that parses. */
    public CachedParquetMetadataSource(
            ParquetMetadataSource delegate,
            OpenedFiles files,
            FooterCache<ParquetFileMetadata> cache,
            PageIndexCaches indexes)
    {
        this.delegate = requireNonNull(delegate, "delegate is null");
        this.files = requireNonNull(files, "files is null");
        this.cache = requireNonNull(cache, "cache is null");
        this.indexes = requireNonNull(indexes, "indexes is null");
        store = indexes.store();
    }

    @Override
    public ParquetFileMetadata getParquetMetadata(
            ParquetDataSource source,
            long fileSize,
            boolean cacheable,
            long modificationTime,
            Optional<InternalFileDecryptor> fileDecryptor,
            boolean readMaskedValue)
            throws IOException
    {
        Optional<FooterFile> known = files.current(source.getId().toString())
                .filter(file -> fileDecryptor.isEmpty() && file.version().lengthBytes() == fileSize && cache.serves(file));
        if (known.isEmpty()) {
            return delegate.getParquetMetadata(source, fileSize, cacheable, modificationTime, fileDecryptor, readMaskedValue);
        }
        FooterFile file = known.get();
        PageIndexes.know(source, file, indexes, files);
        return cache.get(new FooterKey(file.version(), 0, ""), file, () -> load(source, file));
    }

    private ParquetFileMetadata load(ParquetDataSource source, FooterFile file)
            throws IOException
    {
        FooterChunks chunks = store.tail(file);
        try {
            return parse(source, file, chunks);
        }
        catch (IOException | RuntimeException e) {
            Optional<FooterChunks> fresh = chunks.forget();
            if (fresh.isEmpty()) {
                throw e;
            }
            return parse(source, file, fresh.get());
        }
    }

    private ParquetFileMetadata parse(ParquetDataSource source, FooterFile file, FooterChunks chunks)
            throws IOException
    {
        long size = file.version().lengthBytes();
        ParquetDataSource tail = new TailParquetDataSource(source, new FooterTail(chunks, size, source::readFully));
        ParquetFileMetadata parsed = delegate.getParquetMetadata(tail, size, true, file.version().modifiedMillis(), Optional.empty(), false);
        chunks.keep();
        return parsed;
    }
}
