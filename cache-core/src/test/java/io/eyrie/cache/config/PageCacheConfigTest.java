package io.eyrie.cache.config;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class PageCacheConfigTest
{
    private static PageCacheConfig.Builder valid()
    {
        return PageCacheConfig.builder().baseDirectories(List.of(Path.of("/a")));
    }

    @Test
    void defaults()
    {
        PageCacheConfig config = valid().build();
        config.validate();
        assertThat(config).isEqualTo(new PageCacheConfig(List.of(Path.of("/a")), 2L << 30, 1 << 20, 1L << 30, 128L << 20, 8 << 20, 128 << 10, 64,
                32, 10_000, 10_000));
        assertThat(config.toBuilder().build()).isEqualTo(config);
        assertThat(config.fetchPages()).isEqualTo(8);
        assertThat(config.directoryCapacityBytes()).isEqualTo(2L << 30);
    }

    @Test
    void everySettingIsKept()
    {
        PageCacheConfig config = valid()
                .baseDirectories(List.of(Path.of("/b"), Path.of("/c")))
                .capacityBytes(1)
                .pageSizeBytes(2)
                .minFreeSpaceBytes(3)
                .writeBufferBytes(4)
                .maxFetchBytes(5)
                .mergeGapBytes(6)
                .fetchThreads(7)
                .fetchesPerFile(8)
                .fetchWaitMillis(9)
                .probeIntervalMillis(10)
                .build();
        assertThat(config).isEqualTo(new PageCacheConfig(List.of(Path.of("/b"), Path.of("/c")), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
        assertThat(config.toBuilder().build()).isEqualTo(config);
    }

    @Test
    void largestPagesNeedNoOtherSetting()
    {
        PageCacheConfig config = valid().pageSizeBytes(16 << 20).build();
        config.validate();
        assertThat(config.fetchPages()).isEqualTo(1);
    }

    @Test
    void wrongSettingsAreNamed()
    {
        check(PageCacheConfig.builder(), "baseDirectories", "empty");
        check(valid().baseDirectories(List.of(Path.of("/a"), Path.of("/b/../a"))), "baseDirectories", "[/a, /b/../a]");
        check(valid().pageSizeBytes(32 << 10), "pageSizeBytes", "32768");
        check(valid().pageSizeBytes(32 << 20), "pageSizeBytes", "33554432");
        check(valid().pageSizeBytes(3 << 18), "pageSizeBytes", "786432");
        check(valid().pageSizeBytes(0), "pageSizeBytes", "0");
        check(valid().capacityBytes(1 << 20), "capacityBytes", "1048576");
        check(valid().capacityBytes(-1), "capacityBytes", "-1");
        check(valid().baseDirectories(List.of(Path.of("/a"), Path.of("/b"))).capacityBytes(2 << 20), "capacityBytes", "2097152");
        check(valid().minFreeSpaceBytes(-1), "minFreeSpaceBytes", "-1");
        check(valid().maxFetchBytes(1), "maxFetchBytes", "1");
        check(valid().maxFetchBytes(1 << 30), "maxFetchBytes", "1073741824");
        check(valid().writeBufferBytes(1 << 20), "writeBufferBytes", "1048576");
        check(valid().mergeGapBytes(-1), "mergeGapBytes", "-1");
        check(valid().mergeGapBytes(9 << 20), "mergeGapBytes", "9437184");
        check(valid().fetchesPerFile(0), "fetchesPerFile", "0");
        check(valid().fetchThreads(0), "fetchThreads", "0");
        check(valid().fetchWaitMillis(-1), "fetchWaitMillis", "-1");
        check(valid().probeIntervalMillis(0), "probeIntervalMillis", "0");
    }

    private static void check(PageCacheConfig.Builder builder, String key, String value)
    {
        assertThatThrownBy(() -> builder.build().validate()).isInstanceOfSatisfying(ConfigException.class, e -> {
            assertThat(e.key()).isEqualTo(key);
            assertThat(e.value()).isEqualTo(value);
            assertThat(e.allowed()).isNotEmpty();
            assertThat(e.fix()).isNotEmpty();
            assertThat(e).hasMessage(key + " is " + value + ", but " + e.allowed() + ". To fix: " + e.fix() + ".");
        });
    }
}
