// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.metastore;

import com.facebook.presto.hive.HiveClientConfig;
import io.airlift.units.Duration;
import io.eyrie.cache.config.ConfigException;
import io.eyrie.metastore.files.FileListConfig;
import io.eyrie.presto.config.EyrieFileListConfig;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;

import static java.util.concurrent.TimeUnit.HOURS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class FileListSettingsTest
{
    @Test
    void asTheGuideMeansIt()
    {
        FileListConfig lists = FileListSettings.of(new EyrieFileListConfig(), guide(), 1L << 30);
        assertThat(lists).isEqualTo(new FileListConfig(List.of("*"), 1L << 30, 100_000_000, java.time.Duration.ofHours(24), java.time.Duration
                .ofHours(1),
                Optional.empty()));
        assertThat(lists.keepsAny()).isTrue();
    }

    @Test
    void ownProperties()
    {
        FileListConfig lists = FileListSettings.of(new EyrieFileListConfig().setMaxFiles(7).setOpenPartitionPathPattern("/hot/"), guide(), 1);
        assertThat(lists.files()).isEqualTo(7);
        assertThat(lists.openPaths().orElseThrow().pattern()).isEqualTo("/hot/");
    }

    @Test
    void tablesWithoutATimeKeepNothing()
    {
        assertThat(FileListSettings.of(new EyrieFileListConfig(), new HiveClientConfig().setFileStatusCacheTables("a.b"), 0).keepsAny()).isFalse();
    }

    @Test
    void limitsThatCannotBe()
    {
        assertThatThrownBy(() -> FileListSettings.of(new EyrieFileListConfig().setMaxFiles(0), guide(), 1))
                .isInstanceOf(ConfigException.class).hasMessageContainingAll("hive.file-status-cache-size is 0", "To fix: ");
    }

    private static HiveClientConfig guide()
    {
        return new HiveClientConfig().setFileStatusCacheTables("*").setFileStatusCacheExpireAfterWrite(new Duration(24, HOURS));
    }
}
