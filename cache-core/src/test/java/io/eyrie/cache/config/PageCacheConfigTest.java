// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.config;

import io.eyrie.cache.admission.AdmissionConfig;
import io.eyrie.cache.admission.TablePattern;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.policy.EvictionKind;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class PageCacheConfigTest
{
    private static PageCacheConfig.Builder valid()
    {
        return PageCacheConfig.builder().baseDirectories(List.of(Path.of("/a")));
    }

    @Test
    void defaultsAreValidAndKept()
    {
        PageCacheConfig config = valid().build();
        config.validate();
        assertThat(config.toBuilder().build()).isEqualTo(config);
        assertThat(config.fetchPages()).isEqualTo(8);
        assertThat(config.settings()).isEqualTo(Map.ofEntries(
                Map.entry("capacityBytes", "2147483648"),
                Map.entry("pageSizeBytes", "1048576"),
                Map.entry("granuleSizeBytes", "16384"),
                Map.entry("minFreeSpaceBytes", "1073741824"),
                Map.entry("writeBufferBytes", "134217728"),
                Map.entry("maxFetchBytes", "8388608"),
                Map.entry("mergeGapBytes", "131072"),
                Map.entry("fetchThreads", "64"),
                Map.entry("fetchesPerFile", "32"),
                Map.entry("fetchMemoryBytes", "268435456"),
                Map.entry("fetchWaitMillis", "10000"),
                Map.entry("diskTimeoutMillis", "2000"),
                Map.entry("probeIntervalMillis", "10000"),
                Map.entry("indexMemoryBytes", "268435456"),
                Map.entry("ttlMillis", "0"),
                Map.entry("flushIntervalMillis", "1000"),
                Map.entry("evictionPolicy", "S3_FIFO"),
                Map.entry("encryptionKey", "Optional.empty"),
                Map.entry("previousEncryptionKeys", "[]"),
                Map.entry("admission", "AdmissionConfig[allow=[], deny=[], secondTouchPages=0, dailyWriteBytes=OptionalLong.empty, dryRun=false]"),
                Map.entry("quotas", "Optional.empty"),
                Map.entry("defaultQuota", "Optional.empty"),
                Map.entry("traceDirectory", "Optional.empty"),
                Map.entry("traceOnRequest", "false"),
                Map.entry("limitsWait", "false")));
    }

    @Test
    void everySettingIsKept()
    {
        PageCacheConfig config = valid()
                .baseDirectories(List.of(Path.of("/b"), Path.of("/c")))
                .capacityBytes(1)
                .pageSizeBytes(2)
                .granuleSizeBytes(9)
                .minFreeSpaceBytes(3)
                .writeBufferBytes(4)
                .maxFetchBytes(5)
                .mergeGapBytes(13)
                .fetchThreads(6)
                .fetchesPerFile(14)
                .fetchMemoryBytes(18)
                .fetchWaitMillis(7)
                .diskTimeoutMillis(15)
                .probeIntervalMillis(8)
                .indexMemoryBytes(10)
                .ttlMillis(11)
                .flushIntervalMillis(12)
                .encryptionKey(Optional.of("file:/k"))
                .previousEncryptionKeys(List.of("env:OLD"))
                .evictionPolicy(EvictionKind.LRU)
                .admission(new AdmissionConfig(List.of(TablePattern.parse("a.b.*")), List.of(), 15, OptionalLong.of(16), true))
                .quotas(Optional.of(Map.of(Scope.NONE, 17L)))
                .defaultQuota(Optional.of(new DefaultQuota(DefaultQuota.Level.TABLE, 19)))
                .traceDirectory(Optional.of(Path.of("/t")))
                .traceOnRequest(true)
                .limitsWait(true)
                .build();
        assertThat(config.toBuilder().build()).isEqualTo(config);
        assertThat(config.settings().values())
                .containsExactlyInAnyOrder("1", "2", "9", "3", "4", "5", "6", "7", "8", "10", "11", "12", "13", "14", "15", "18", "LRU",
                        "Optional[file:/k]",
                        "[env:OLD]", "AdmissionConfig[allow=[a.b.*], deny=[], secondTouchPages=15, dailyWriteBytes=OptionalLong[16], dryRun=true]",
                        "Optional[{Scope[catalog=, schema=, table=, partition=]=17}]", "Optional[DefaultQuota[level=TABLE, bytes=19]]",
                        "Optional[/t]", "true", "true");
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
        check(valid().fetchMemoryBytes(1 << 20), "fetchMemoryBytes", "1048576");
        check(valid().mergeGapBytes(-1), "mergeGapBytes", "-1");
        check(valid().mergeGapBytes(9 << 20), "mergeGapBytes", "9437184");
        check(valid().fetchesPerFile(0), "fetchesPerFile", "0");
        check(valid().fetchThreads(0), "fetchThreads", "0");
        check(valid().fetchWaitMillis(-1), "fetchWaitMillis", "-1");
        check(valid().probeIntervalMillis(0), "probeIntervalMillis", "0");
        check(valid().granuleSizeBytes(2 << 10), "granuleSizeBytes", "2048");
        check(valid().granuleSizeBytes(128 << 10), "granuleSizeBytes", "131072");
        check(valid().granuleSizeBytes(12 << 10), "granuleSizeBytes", "12288");
        check(valid().indexMemoryBytes(1), "indexMemoryBytes", "1");
        check(valid().ttlMillis(-1), "ttlMillis", "-1");
        check(valid().defaultQuota(Optional.of(new DefaultQuota(DefaultQuota.Level.TABLE, -1))), "defaultQuota", "-1");
        check(valid().flushIntervalMillis(0), "flushIntervalMillis", "0");
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
