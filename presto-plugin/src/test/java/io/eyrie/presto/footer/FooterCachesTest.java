// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.footer;

import com.facebook.presto.orc.cache.OrcCacheConfig;
import com.facebook.presto.parquet.cache.ParquetCacheConfig;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.file.StoreId;
import io.eyrie.cache.page.CacheMode;
import io.eyrie.footer.FooterCache;
import io.eyrie.footer.FooterFile;
import io.eyrie.footer.FooterKey;
import io.eyrie.footer.FooterListener;
import io.eyrie.presto.config.CatalogFile;
import io.eyrie.presto.memory.MemoryLayer;
import io.eyrie.presto.memory.MemoryPlan;
import org.junit.jupiter.api.Test;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static io.eyrie.presto.config.FooterDefaults.TTL;
import static org.assertj.core.api.Assertions.assertThat;

class FooterCachesTest
{
    private static final int MEGABYTE = 1 << 20;

    @Test
    void scaledShareBoundsWhatIsKept()
    {
        MemoryPlan plan = MemoryPlan.of(new CatalogFile("hive", Map.of(
                "cache.enabled", "true",
                "cache.max-memory", "100MB",
                "hive.orc.stripe-stream-cache-size", "300MB")), 1L << 30);
        assertThat(plan.bytes(MemoryLayer.ORC_STRIPE_STREAMS)).isBetween(4L * MEGABYTE, 40L * MEGABYTE);
        OrcCacheConfig orc = new OrcCacheConfig().setStripeMetadataCacheEnabled(true).setStripeStreamCacheTtlSinceLastAccess(TTL);
        FooterCache<Slice> streams = new FooterCaches(orc, new ParquetCacheConfig(), plan).orcStripeStreams();

        FileVersion version = new FileVersion(new StoreId("s3://store", ""), "/file", 1L << 30, 1, Optional.empty());
        FooterFile file = new FooterFile(version, Scope.NONE, CacheMode.READ_WRITE, Set.of(), FooterListener.NONE);
        for (int i = 0; i < 100; i++) {
            streams.put(new FooterKey(version, i, "stream"), file, Slices.allocate(MEGABYTE), streams.epoch());
        }

        assertThat(streams.stats().currentBytes()).isPositive().isLessThanOrEqualTo(plan.bytes(MemoryLayer.ORC_STRIPE_STREAMS));
    }
}
