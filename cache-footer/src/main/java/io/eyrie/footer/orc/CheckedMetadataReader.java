package io.eyrie.footer.orc;

import com.facebook.presto.orc.DwrfEncryptionProvider;
import com.facebook.presto.orc.DwrfKeyProvider;
import com.facebook.presto.orc.OrcCorruptionException;
import com.facebook.presto.orc.OrcDataSource;
import com.facebook.presto.orc.OrcDataSourceId;
import com.facebook.presto.orc.OrcDecompressor;
import com.facebook.presto.orc.metadata.Footer;
import com.facebook.presto.orc.metadata.Metadata;
import com.facebook.presto.orc.metadata.MetadataReader;
import com.facebook.presto.orc.metadata.OrcType;
import com.facebook.presto.orc.metadata.PostScript;
import com.facebook.presto.orc.metadata.PostScript.HiveWriterVersion;
import com.facebook.presto.orc.metadata.RowGroupIndex;
import com.facebook.presto.orc.metadata.StripeFooter;
import com.facebook.presto.orc.metadata.statistics.HiveBloomFilter;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/** Refuses a postscript that tells of more bytes than the file has, before the reader takes memory for them. */
final class CheckedMetadataReader
        implements MetadataReader
{
    private final MetadataReader delegate;
    private final OrcDataSource source;

    CheckedMetadataReader(MetadataReader delegate, OrcDataSource source)
    {
        this.delegate = requireNonNull(delegate, "delegate is null");
        this.source = requireNonNull(source, "source is null");
    }

    @Override
    public PostScript readPostScript(byte[] data, int offset, int length)
            throws IOException
    {
        PostScript postScript = delegate.readPostScript(data, offset, length);
        long footer = postScript.getFooterLength();
        long metadata = postScript.getMetadataLength();
        long stripeCache = postScript.getDwrfStripeCacheLength().orElse(0);
        // each alone as well: their sum may overflow
        if (footer > source.getSize() || metadata > source.getSize() || footer + metadata + stripeCache > source.getSize()) {
            throw new OrcCorruptionException(source.getId(),
                    "Footer of %s, metadata of %s and stripe cache of %s bytes are longer than the file of %s",
                    footer, metadata, stripeCache, source.getSize());
        }
        return postScript;
    }

    @Override
    public Metadata readMetadata(HiveWriterVersion hiveWriterVersion, InputStream inputStream)
            throws IOException
    {
        return delegate.readMetadata(hiveWriterVersion, inputStream);
    }

    @Override
    public Footer readFooter(
            HiveWriterVersion hiveWriterVersion,
            InputStream inputStream,
            DwrfEncryptionProvider dwrfEncryptionProvider,
            DwrfKeyProvider dwrfKeyProvider,
            OrcDataSource orcDataSource,
            Optional<OrcDecompressor> decompressor)
            throws IOException
    {
        return delegate.readFooter(hiveWriterVersion, inputStream, dwrfEncryptionProvider, dwrfKeyProvider, orcDataSource, decompressor);
    }

    @Override
    public StripeFooter readStripeFooter(OrcDataSourceId orcDataSourceId, List<OrcType> types, InputStream inputStream)
            throws IOException
    {
        return delegate.readStripeFooter(orcDataSourceId, types, inputStream);
    }

    @Override
    public List<RowGroupIndex> readRowIndexes(HiveWriterVersion hiveWriterVersion, InputStream inputStream, List<HiveBloomFilter> bloomFilters)
            throws IOException
    {
        return delegate.readRowIndexes(hiveWriterVersion, inputStream, bloomFilters);
    }

    @Override
    public List<HiveBloomFilter> readBloomFilterIndexes(InputStream inputStream)
            throws IOException
    {
        return delegate.readBloomFilterIndexes(inputStream);
    }
}
