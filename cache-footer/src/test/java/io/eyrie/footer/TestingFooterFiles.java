// SPDX-License-Identifier: Apache-2.0
package io.eyrie.footer;

import io.eyrie.cache.blob.BlobCache;
import io.eyrie.cache.blob.StoreBlobCache;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.file.StoreId;
import io.eyrie.cache.page.CacheMode;
import io.eyrie.cache.store.PageWriter;
import io.eyrie.cache.store.TestingPageStore;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** Versions of files, and the store of their footers. */
public final class TestingFooterFiles
{
    public static final FooterLimits LIMITS = new FooterLimits(true, 1L << 30, Duration.ofHours(1));

    private static final int PAGE_BYTES = 1 << 20;

    private TestingFooterFiles()
    {}

    public static FooterFile file(String path, long lengthBytes, String etag)
    {
        FileVersion version = new FileVersion(StoreId.shared("s3://test"), path, lengthBytes, 1000, Optional.of(etag));
        return new FooterFile(version, new Scope("catalog", "schema", "table", ""), CacheMode.READ_WRITE, Set.of(), FooterListener.NONE);
    }

    public static FooterFile unkept(FooterFile file)
    {
        return new FooterFile(file.version(), file.scope(), CacheMode.READ_ONLY, file.bypassed(), file.listener());
    }

    public static BlobCache blobs()
    {
        TestingPageStore store = new TestingPageStore(TestingPageStore.GRANULE_BYTES);
        return new StoreBlobCache(store, new PageWriter(store, 64 << 20, PAGE_BYTES), PAGE_BYTES, 16 << 20);
    }
}
