package io.eyrie.cache.disk;

import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.page.PageKey;
import io.eyrie.cache.page.PageStore;
import io.eyrie.cache.page.PageStoreContract;
import io.eyrie.cache.page.WriteOutcome;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

final class DiskPageStoreContractTest
{
    private static DiskPageStore open(Path... bases)
    {
        return DiskPageStore.open(PageCacheConfig.builder()
                .baseDirectories(List.of(bases))
                .capacityBytes(64L << 20)
                .pageSizeBytes(256 << 10)
                .minFreeSpaceBytes(0)
                .build());
    }

    @Nested
    final class OneDirectory
            extends PageStoreContract
    {
        private final Path base;

        OneDirectory(@TempDir Path base)
        {
            this.base = base;
        }

        @Override
        protected PageStore createStore()
        {
            return open(base);
        }

        @Override
        protected void checkStore(PageStore checked)
        {
            if (checked.stats().currentPages() > 0) {
                StoreFiles.check((DiskPageStore) checked, base);
            }
        }
    }

    @Nested
    final class ThreeDirectories
            extends PageStoreContract
    {
        private final Path root;

        ThreeDirectories(@TempDir Path root)
        {
            this.root = root;
        }

        @Override
        protected PageStore createStore()
                throws Exception
        {
            return open(
                    Files.createDirectories(root.resolve("a")),
                    Files.createDirectories(root.resolve("b")),
                    Files.createDirectories(root.resolve("c")));
        }

        @Override
        protected void checkStore(PageStore checked)
        {
            if (checked.stats().currentPages() > 0) {
                StoreFiles.check((DiskPageStore) checked, root.resolve("a"), root.resolve("b"), root.resolve("c"));
            }
        }

        @Test
        void pagesSpreadOverDirectories()
                throws Exception
        {
            try (PageStore spread = open(
                    Files.createDirectories(root.resolve("d")),
                    Files.createDirectories(root.resolve("e")),
                    Files.createDirectories(root.resolve("f")))) {
                for (int page = 0; page < 60; page++) {
                    PageKey key = key(9, page);
                    assertThat(write(spread, key)).isEqualTo(WriteOutcome.STORED);
                }
                for (String name : List.of("d", "e", "f")) {
                    assertThat(StoreFiles.pages(root.resolve(name))).hasSizeBetween(8, 35);
                }
            }
        }
    }
}
