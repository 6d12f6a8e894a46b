// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.result;

import io.eyrie.cache.PageCaches;
import io.eyrie.cache.blob.BlobCache;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.page.PageCache;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.StorageClass;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the memory of plans with a real store. */
final class SeenPlansTest
{
    private static final BlobKey PLAN = new BlobKey(1, 2);

    private final PageCacheConfig config;
    private PageCache cache;

    SeenPlansTest(@TempDir Path directory)
    {
        config = PageCacheConfig.builder().baseDirectories(List.of(directory)).capacityBytes(64 << 20).minFreeSpaceBytes(0).build();
        cache = PageCaches.open(config);
    }

    @AfterEach
    void close()
    {
        cache.close();
    }

    @Test
    void aPlanIsSeenAgainAtOnceAndAfterARestart()
    {
        SeenPlans plans = new SeenPlans(blobs());
        assertThat(plans.add(PLAN)).isFalse();
        assertThat(plans.add(PLAN)).isTrue();
        assertThat(plans.add(new BlobKey(1, 3))).isFalse();
        restart();
        assertThat(new SeenPlans(blobs()).add(PLAN)).isTrue();
        assertThat(new SeenPlans(blobs()).add(new BlobKey(1, 4))).isFalse();
    }

    @Test
    void otherBytesAreNoPlan()
    {
        blobs().put(SeenPlans.key(PLAN), new PageTags(Scope.NONE, StorageClass.RESULT), ByteBuffer.wrap(new byte[] {3}), blobs().epoch());
        restart();
        assertThat(new SeenPlans(blobs()).add(PLAN)).isFalse();
    }

    private BlobCache blobs()
    {
        return cache.blobs().orElseThrow();
    }

    private void restart()
    {
        cache.close();
        cache = PageCaches.open(config);
    }
}
