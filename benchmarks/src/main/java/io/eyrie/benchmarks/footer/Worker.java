// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.footer;

import io.eyrie.benchmarks.footer.WideFormat.OneColumn;
import io.eyrie.benchmarks.micro.CacheVariant;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.file.StoreId;
import io.eyrie.cache.page.CacheMode;
import io.eyrie.cache.page.CachedFile;
import io.eyrie.cache.page.PageCache;
import io.eyrie.cache.page.ReadContext;
import io.eyrie.cache.page.ReadListener;
import io.eyrie.footer.FooterFile;
import io.eyrie.footer.FooterListener;
import io.eyrie.footer.FooterStore;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/** A simulated Eyrie process: its page cache over a directory, and its footer caches, empty in memory. */
final class Worker
        implements AutoCloseable
{
    private static final int PAGE_BYTES = 1 << 20;
    private static final long CAPACITY_BYTES = 1L << 30;
    private static final Scope SCOPE = new Scope("bench", "footer", "wide", "");
    private static final ReadContext CONTEXT = new ReadContext(SCOPE, CacheMode.READ_WRITE, ReadListener.NOOP);

    private final FarBytes far;
    private final FileVersion version;
    private final PageCache pages;
    private final OneColumn ours;

    Worker(Path directory, WideFormat format, FarBytes far)
    {
        this.far = far;
        version = new FileVersion(StoreId.shared("bench"), WideFormat.PATH, far.lengthBytes(), 1, Optional.empty());
        pages = CacheVariant.EYRIE.open(directory, CAPACITY_BYTES, PAGE_BYTES);
        FooterFile file = new FooterFile(version, SCOPE, CacheMode.READ_WRITE, Set.of(), FooterListener.NONE);
        ours = format.ours(file, new FooterStore(pages.blobs(), pages.pageSizeBytes()));
    }

    /** Reads with Eyrie's footer caches. */
    long sum()
            throws IOException
    {
        return sum(ours);
    }

    /** Reads with another reader's footer caches, over this worker's page cache. */
    long sum(OneColumn reader)
            throws IOException
    {
        try (CachedFile file = pages.open(version, far, CONTEXT)) {
            return reader.sum(file::readFully, far.lengthBytes());
        }
    }

    @Override
    public void close()
    {
        pages.close();
    }
}
