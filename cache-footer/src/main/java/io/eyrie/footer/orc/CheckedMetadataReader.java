// SPDX-License-Identifier: Apache-2.0
package io.eyrie.footer.orc;

import com.facebook.presto.orc.OrcCorruptionException;
import com.facebook.presto.orc.OrcDataSource;
import com.facebook.presto.orc.metadata.MetadataReader;
import com.facebook.presto.orc.metadata.PostScript;

import java.io.IOException;

import static java.util.Objects.requireNonNull;

/** Rejects a postscript whose lengths exceed the file, before the reader allocates memory for them. */
final class CheckedMetadataReader
        extends ForwardingMetadataReader
{
    private final OrcDataSource source;

    CheckedMetadataReader(MetadataReader delegate, OrcDataSource source)
    {
        super(delegate);
        this.source = requireNonNull(source, "source is null");
    }

    @Override
    public PostScript readPostScript(byte[] data, int offset, int length)
            throws IOException
    {
        PostScript postScript = super.readPostScript(data, offset, length);
        long footer = postScript.getFooterLength();
        long metadata = postScript.getMetadataLength();
        long stripeCache = postScript.getDwrfStripeCacheLength().orElse(0);
        // also check two lengths separately: the sum may overflow
        if (footer > source.getSize() || metadata > source.getSize() || footer + metadata + stripeCache > source.getSize()) {
            throw new OrcCorruptionException(source.getId(),
                    "Footer of %s, metadata of %s and stripe cache of %s bytes are longer than the file of %s",
                    footer, metadata, stripeCache, source.getSize());
        }
        return postScript;
    }
}
