// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.micro;

import io.eyrie.cache.page.CachedFile;
import io.eyrie.cache.page.PageCache;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;

class SyntheticFileTest
{
    @Test
    void bytesDifferFromFileToFileAndPageToPage(@TempDir Path directory)
            throws IOException
    {
        SyntheticFile file = new SyntheticFile("/a", 3 << 20);
        byte[] read = new byte[4096];
        try (PageCache cache = CacheVariant.RAW.open(directory, 1 << 20, 64 << 10);
                CachedFile cached = file.open(cache)) {
            cached.readFully(0, read, 0, read.length);
        }

        assertThat(file.has(0, read, read.length)).isTrue();
        assertThat(file.has(1 << 20, read, read.length)).isFalse();
        assertThat(new SyntheticFile("/b", 3 << 20).has(0, read, read.length)).isFalse();
        assertThat(new SyntheticFile("/a", 3 << 20).has(0, read, read.length)).isTrue();
    }

    @ParameterizedTest
    @EnumSource(CacheVariant.class)
    void everyVariantServesTheFile(CacheVariant variant, @TempDir Path directory)
            throws IOException
    {
        SyntheticFile file = new SyntheticFile("/a", 5 * (64 << 10) + 100);
        try (PageCache cache = variant.open(directory, 8 << 20, 64 << 10);
                CachedFile cached = file.open(cache)) {
            CacheFiller.fill(cached, file);
            long requests = file.requests();
            CacheFiller.readThrough(cached, file);
            assertThat(file.requests()).isEqualTo(requests);
        }
    }
}
