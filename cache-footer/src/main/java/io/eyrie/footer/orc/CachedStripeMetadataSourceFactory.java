// SPDX-License-Identifier: Apache-2.0
package io.eyrie.footer.orc;

import com.facebook.presto.orc.StorageStripeMetadataSource;
import com.facebook.presto.orc.StripeMetadataSource;
import com.facebook.presto.orc.StripeMetadataSourceFactory;
import com.facebook.presto.orc.metadata.DwrfStripeCache;
import io.eyrie.footer.OpenedFiles;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/** Creates a reader's stripe metadata source while its file is being opened, the only time at which the file's version is known. Thread-safe. */
public final class CachedStripeMetadataSourceFactory
        implements StripeMetadataSourceFactory
{
    private final StripeMetadataSource storage = new StorageStripeMetadataSource();
    private final OpenedFiles files;
    private final StripeCaches caches;

    public CachedStripeMetadataSourceFactory(OpenedFiles files, StripeCaches caches)
    {
        this.files = requireNonNull(files, "files is null");
        this.caches = requireNonNull(caches, "caches is null");
    }

    @Override
    public StripeMetadataSource create(Optional<DwrfStripeCache> dwrfStripeCache)
    {
        Optional<ParsedFooterReader> parser = ParsedFooterReader.takeInstalled();
        return files.current().<StripeMetadataSource>map(file -> new CachedStripeMetadataSource(storage, file, caches, parser)).orElse(storage);
    }
}
