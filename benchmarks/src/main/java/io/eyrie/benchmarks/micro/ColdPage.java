// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.micro;

import io.eyrie.cache.page.CachedFile;
import io.eyrie.cache.page.PageCache;
import io.eyrie.cli.console.ReportedException;

import java.nio.file.Path;

/** Many threads that request the same uncached page. */
final class ColdPage
{
    private static final int LATENCY_MILLIS = 200;

    private ColdPage()
    {}

    /** Returns the number of ranges that are requested from the remote store. The directory must exist. */
    static long requests(int threads, Path directory)
    {
        SyntheticFile file = new SyntheticFile("/cold", 4 * PageReads.PAGE_BYTES, LATENCY_MILLIS, 0);
        try (PageCache cache = CacheVariant.EYRIE.open(directory, 64L * PageReads.PAGE_BYTES, PageReads.PAGE_BYTES);
                CachedFile cached = file.open(cache)) {
            ReaderThreads.run(threads, number -> {
                byte[] buffer = new byte[8 << 10];
                cached.readFully(PageReads.PAGE_BYTES, buffer, 0, buffer.length);
                if (!file.has(PageReads.PAGE_BYTES, buffer, buffer.length)) {
                    throw new ReportedException("Wrong bytes");
                }
            });
            return file.requests();
        }
    }
}
