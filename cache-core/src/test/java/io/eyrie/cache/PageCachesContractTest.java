// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache;

import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.page.PageCache;

import java.nio.file.Path;
import java.util.List;

/** Tests that Eyrie's own engine fulfills the contract of page caches. */
final class PageCachesContractTest
        extends PageCacheContract
{
    @Override
    protected PageCache open(Path existingDirectory)
    {
        return PageCaches.open(PageCacheConfig.builder()
                .baseDirectories(List.of(existingDirectory))
                .capacityBytes(110L * PAGE)
                .pageSizeBytes(PAGE)
                .minFreeSpaceBytes(0)
                .build());
    }
}
