// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.filesystem;

import io.eyrie.cache.PageCaches;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.page.PageCache;
import io.eyrie.presto.catalog.CatalogName;
import io.eyrie.presto.control.ControlState;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests operators' commands on the page cache itself. */
class SteeredPagesTest
{
    private static final Scope CONFIGURED = new Scope("hive", "web", "", "");
    private static final Scope OTHER = new Scope("other", "web", "", "");
    private static final ControlState.Target CLICKS = new ControlState.Target("web", "clicks", "");
    private static final ControlState.Target WEB = new ControlState.Target("web", "", "");

    private static ControlState state(@Nullable Long capacityBytes, ControlState.Quota... quotas)
    {
        return new ControlState("here", 1, List.of(), List.of(), List.of(), List.of(quotas), capacityBytes, 0);
    }

    private static PageCacheConfig config(Path directory)
    {
        return PageCacheConfig.builder()
                .baseDirectories(List.of(directory))
                .capacityBytes(64 << 20)
                .minFreeSpaceBytes(0)
                .quotas(Optional.of(Map.of(CONFIGURED, 5L, OTHER, 3L)))
                .build();
    }

    @Test
    void quotasWaitAfterARestart(@TempDir Path directory)
    {
        PageCacheConfig config = config(directory).toBuilder().limitsWait(true).build();
        try (PageCache pages = PageCaches.open(config)) {
            assertThat(pages.control().quotas()).isEmpty();
            new SteeredPages(pages, config, new CatalogName("hive")).steer(state(null, new ControlState.Quota(WEB, 9)));
        }
        try (PageCache pages = PageCaches.open(config)) {
            assertThat(pages.control().quotas()).isEqualTo(Map.of(CONFIGURED, 9L));
            new SteeredPages(pages, config, new CatalogName("hive")).steer(state(null));
            assertThat(pages.control().quotas()).isEqualTo(Map.of(CONFIGURED, 5L));
        }
    }

    @Test
    void quotaThatWasTakenBackDoesNotOutliveARestart(@TempDir Path directory)
    {
        PageCacheConfig config = config(directory);
        try (PageCache pages = PageCaches.open(config)) {
            new SteeredPages(pages, config, new CatalogName("hive")).steer(state(32L << 20, new ControlState.Quota(CLICKS, 7), new ControlState.Quota(
                    WEB, 9)));
            assertThat(pages.control().quotas()).isEqualTo(Map.of(CONFIGURED, 9L, CLICKS.scope("hive"), 7L, OTHER, 3L));
            assertThat(pages.stats().store().capacityBytes()).isEqualTo(32L << 20);
            new SteeredPages(pages, config, new CatalogName("other")).steer(state(null, new ControlState.Quota(WEB, 4)));
            new SteeredPages(pages, config, new CatalogName("hive")).steer(state(null));
            assertThat(pages.control().quotas()).as("another catalog's stays").isEqualTo(Map.of(CONFIGURED, 5L, OTHER, 4L));
        }
        PageCacheConfig unset = config.toBuilder().quotas(Optional.empty()).build();
        try (PageCache pages = PageCaches.open(unset)) {
            new SteeredPages(pages, unset, new CatalogName("hive")).steer(state(null));
            assertThat(pages.control().quotas()).as("another catalog's stays").isEqualTo(Map.of(OTHER, 4L));
            assertThat(pages.stats().store().capacityBytes()).isEqualTo(64L << 20);
        }
    }
}
