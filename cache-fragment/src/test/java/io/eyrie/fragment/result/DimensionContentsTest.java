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
import io.eyrie.fragment.InterruptedBlobs;
import io.eyrie.fragment.result.DimensionContents.DimensionContent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the contents of dimensions with a real store. */
final class DimensionContentsTest
{
    private static final Scope SCOPE = new Scope("hive", "web", "countries", "");
    private static final BlobKey KEY = new BlobKey(1, 2);
    private static final byte[] DIGEST = {7, 0, 9};

    private final PageCacheConfig config;
    private PageCache cache;

    DimensionContentsTest(@TempDir Path directory)
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
    void contentIsKnownAtOnceAndAfterARestart()
    {
        DimensionContents contents = new DimensionContents(blobs());
        assertThat(contents.get(KEY)).isEmpty();
        contents.put(KEY, new DimensionContent(Optional.of(DIGEST)), contents.epoch(), SCOPE);
        assertThat(contents.get(KEY).orElseThrow().digest().orElseThrow()).isEqualTo(DIGEST);
        assertThat(contents.get(new BlobKey(1, 3))).isEmpty();
        restart();
        assertThat(new DimensionContents(blobs()).get(KEY).orElseThrow().digest().orElseThrow()).isEqualTo(DIGEST);
    }

    @Test
    void aDimensionWithoutADigestIsKnownToHaveNone()
    {
        new DimensionContents(blobs()).put(KEY, new DimensionContent(Optional.empty()), blobs().epoch(), SCOPE);
        restart();
        assertThat(new DimensionContents(blobs()).get(KEY).orElseThrow().digest()).isEmpty();
    }

    @Test
    void otherBytesAreNoContent()
    {
        blobs().put(KEY, new PageTags(SCOPE, StorageClass.RESULT), ByteBuffer.wrap(new byte[] {3, 2, 3}), blobs().epoch());
        restart();
        assertThat(new DimensionContents(blobs()).get(KEY)).isEmpty();
    }

    @Test
    void contentIsStoredAgainAfterAnInvalidation()
    {
        DimensionContents contents = new DimensionContents(blobs());
        contents.put(KEY, new DimensionContent(Optional.of(DIGEST)), contents.epoch(), SCOPE);
        cache.control().invalidate(SCOPE);
        contents.forgetMemory();
        assertThat(contents.get(KEY)).isEmpty();
        contents.put(KEY, new DimensionContent(Optional.of(DIGEST)), contents.epoch(), SCOPE);
        restart();
        assertThat(new DimensionContents(blobs()).get(KEY)).isPresent();
    }

    @Test
    void contentThatWasReadBeforeAnInvalidationIsNotStored()
    {
        DimensionContents contents = new DimensionContents(blobs());
        long epoch = contents.epoch();
        cache.control().invalidate(SCOPE);
        contents.forgetMemory();
        contents.put(KEY, new DimensionContent(Optional.of(DIGEST)), epoch, SCOPE);
        assertThat(contents.get(KEY)).isEmpty();
        restart();
        assertThat(new DimensionContents(blobs()).get(KEY)).isEmpty();
    }

    @Test
    void contentIsStoredIfManyOtherBlobsWereReplacedWhileItWasRead()
    {
        DimensionContents contents = new DimensionContents(blobs());
        long epoch = contents.epoch();
        for (int other = 0; other < 1100; other++) {
            blobs().replace(new BlobKey(other, 7), new PageTags(SCOPE, StorageClass.RESULT), ByteBuffer.wrap(new byte[10]), blobs().epoch());
        }
        contents.put(KEY, new DimensionContent(Optional.of(DIGEST)), epoch, SCOPE);
        assertThat(contents.get(KEY)).isPresent();
        restart();
        assertThat(new DimensionContents(blobs()).get(KEY)).isPresent();
    }

    @Test
    void contentThatIsInvalidatedWhileTheDiskReadsItIsForgotten()
    {
        new DimensionContents(blobs()).put(KEY, new DimensionContent(Optional.of(DIGEST)), blobs().epoch(), SCOPE);
        restart();
        InterruptedBlobs interrupted = new InterruptedBlobs(blobs());
        DimensionContents contents = new DimensionContents(interrupted);
        interrupted.afterGet = () -> {
            cache.control().invalidate(SCOPE);
            contents.forgetMemory();
        };
        assertThat(contents.get(KEY)).as("the lookup began before").isPresent();
        assertThat(contents.get(KEY)).isEmpty();
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
