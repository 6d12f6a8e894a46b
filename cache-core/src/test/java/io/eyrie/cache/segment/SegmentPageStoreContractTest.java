// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.device.LocalDevice;
import io.eyrie.cache.store.PageStore;
import io.eyrie.cache.store.PageStoreControlContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests that the store on real directories fulfills the contract of page stores. */
final class SegmentPageStoreContractTest
{
    private abstract static class Variant
            extends PageStoreControlContract
    {
        /* More than a test writes without expecting evictions: the directory of a page depends on the name of a temporary directory. */
        private static final long PAGES_PER_DIRECTORY = 24;

        private final PageCacheConfig.Builder config;
        private final List<Path> bases;

        Variant(PageCacheConfig.Builder config, Path... bases)
        {
            this.config = config;
            this.bases = List.of(bases);
        }

        @Override
        protected PageStore createStore()
                throws IOException
        {
            for (Path base : bases) {
                Files.createDirectories(base);
            }
            return SegmentPageStore.open(config
                    .baseDirectories(bases)
                    .capacityBytes(PAGES_PER_DIRECTORY * bases.size() * (PAGE_BYTES + 4096))
                    .pageSizeBytes(PAGE_BYTES)
                    .minFreeSpaceBytes(0)
                    .build());
        }

        @Override
        protected void checkStore(PageStore store)
                throws IOException
        {
            StoreChecker.check((SegmentPageStore) store, new LocalDevice());
            for (Path base : bases) {
                try (Stream<Path> paths = Files.walk(base.resolve(StoreDirectory.FOLDER))) {
                    for (Path path : paths.toList()) {
                        String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
                        assertThat(mode).as(path.toString()).isEqualTo(Files.isDirectory(path) ? "rwx------" : "rw-------");
                    }
                }
            }
        }
    }

    @Nested
    final class OneDirectory
            extends Variant
    {
        OneDirectory(@TempDir Path base)
        {
            super(PageCacheConfig.builder(), base);
        }
    }

    @Nested
    final class ThreeDirectories
            extends Variant
    {
        ThreeDirectories(@TempDir Path root)
        {
            super(PageCacheConfig.builder(), root.resolve("a"), root.resolve("b"), root.resolve("c"));
        }
    }

    /** Pages in several units. */
    @Nested
    final class SmallGranules
            extends Variant
    {
        SmallGranules(@TempDir Path base)
        {
            super(PageCacheConfig.builder().granuleSizeBytes(4096), base);
        }
    }

    @Nested
    final class EncryptedStore
            extends Variant
    {
        EncryptedStore(@TempDir Path root)
                throws IOException
        {
            super(PageCacheConfig.builder().encryptionKey(Optional.of("file:" + key(root))), root.resolve("a"));
        }

        private static Path key(Path root)
                throws IOException
        {
            Path file = Files.createFile(root.resolve("key"), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            return Files.writeString(file, Base64.getEncoder().encodeToString(new byte[32]));
        }
    }
}
