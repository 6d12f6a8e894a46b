// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.config;

import io.eyrie.cache.config.PageCacheConfig;

/** The number of threads that fetch from the remote store: as many as the splits that a Presto worker runs at a time would read with, uncached. */
final class FetchThreads
{
    private static final int PER_PROCESSOR = 2;
    private static final int LEAST = PageCacheConfig.builder().build().fetchThreads();
    private static final int MOST = 256;

    private FetchThreads()
    {}

    static int of(int processors)
    {
        return Math.max(LEAST, Math.min(MOST, processors * PER_PROCESSOR));
    }
}
