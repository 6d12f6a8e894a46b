// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.blob;

import io.eyrie.cache.file.Scope;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.StorageClass;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.util.Arrays;

import static io.eyrie.cache.page.Eventually.eventually;
import static io.eyrie.cache.page.TestingSource.randomBytes;
import static org.assertj.core.api.Assertions.assertThat;

/** The contract of every {@link BlobCache}. An implementation's test extends this class and supplies an empty cache. */
public abstract class BlobCacheContract
{
    protected static final PageTags TAGS = new PageTags(new Scope("hive", "web", "clicks", "ds=1"), StorageClass.FOOTER);

    private BlobCache cache;

    protected BlobCacheContract()
    {
        cache = createCache();
    }

    /** Returns an empty cache with a capacity of 1 MiB that accepts blobs of up to 300,000 bytes. */
    protected abstract BlobCache createCache();

    @BeforeEach
    void renewCache()
    {
        cache = createCache();
    }

    protected static BlobKey key(int number)
    {
        return BlobKey.of(ByteBuffer.allocate(4).putInt(0, number));
    }

    /** Puts a blob and waits until it is written or declined. */
    protected static void put(BlobCache to, BlobKey key, byte[] blob)
    {
        long before = puts(to);
        to.put(key, TAGS, ByteBuffer.wrap(blob), to.epoch());
        eventually("the blob is written", () -> puts(to) > before);
    }

    protected static long puts(BlobCache of)
    {
        BlobCacheStats stats = of.stats();
        return stats.write().writes() + stats.write().declinedWrites() + stats.write().staleWrites() + stats.write().busyWrites() + stats.write()
                .failedWrites();
    }

    @Test
    void blobsOfAnyLengthAreGivenBack()
    {
        for (int length : new int[] {0, 1, 4079, 4080, 4081, 65_519, 65_520, 65_521, 131_056, 131_057, 300_000}) {
            byte[] blob = randomBytes(length, length);
            assertThat(cache.get(key(length))).isEmpty();
            put(cache, key(length), blob);
            assertThat(cache.get(key(length))).as("%s bytes", length).hasValue(blob);
        }
        BlobCacheStats stats = cache.stats();
        assertThat(stats.lookup().hits()).isEqualTo(11);
        assertThat(stats.lookup().misses()).isEqualTo(11);
        assertThat(stats.lookup().lookups()).isEqualTo(22);
        assertThat(stats.write().writes()).isEqualTo(11);
        assertThat(stats.lookup().hitBytes()).isEqualTo(stats.write().writtenBytes());
    }

    @Test
    void startOfABlobIsGivenAndCountedOnlyIfItIsAllOfIt()
    {
        assertThat(cache.start(key(1), 10)).isEmpty();
        byte[] blob = randomBytes(1, 200_000);
        put(cache, key(1), blob);
        for (int length : new int[] {0, 1, 4081, 131_057, 199_999}) {
            assertThat(cache.start(key(1), length)).hasValue(Arrays.copyOf(blob, length));
        }
        assertThat(cache.stats().lookup().lookups()).isEqualTo(1);
        assertThat(cache.start(key(1), 200_000)).hasValue(blob);
        assertThat(cache.start(key(1), 200_001)).hasValue(blob);
        assertThat(cache.stats().lookup().hits()).isEqualTo(2);
        assertThat(cache.stats().lookup().hitBytes()).isEqualTo(400_000);
    }

    @Test
    void blobIsCopied()
    {
        byte[] blob = randomBytes(1, 1000);
        ByteBuffer slice = ByteBuffer.allocate(1010).position(10).put(blob).position(10);
        cache.put(key(1), TAGS, slice, cache.epoch());
        slice.put(20, (byte) (slice.get(20) + 1));
        assertThat(slice.position()).isEqualTo(10);
        eventually("the blob is written", () -> puts(cache) == 1);
        assertThat(cache.get(key(1))).hasValue(blob);
        cache.get(key(1)).orElseThrow()[0]++;
        assertThat(cache.get(key(1))).hasValue(blob);
    }

    @Test
    void longerBlobIsDeclined()
    {
        put(cache, key(1), new byte[cache.maxBlobBytes() + 1]);
        assertThat(cache.get(key(1))).isEmpty();
        assertThat(cache.stats().write().declinedWrites()).isEqualTo(1);
    }

    @Test
    void secondBlobOfAKeyIsNotMixedWithTheFirst()
    {
        byte[] first = randomBytes(1, 200_000);
        byte[] second = randomBytes(2, 150_000);
        put(cache, key(1), first);
        put(cache, key(1), second);
        assertThat(cache.get(key(1))).satisfiesAnyOf(
                blob -> assertThat(blob).isEmpty(),
                blob -> assertThat(blob).hasValue(first),
                blob -> assertThat(blob).hasValue(second));
        put(cache, key(1), second);
        put(cache, key(2), first);
        assertThat(cache.get(key(2))).hasValue(first);
    }

    @Test
    void replacementTakesThePlaceOfTheEarlierBlobAndMakesNothingStale()
    {
        long before = cache.epoch();
        for (int length : new int[] {100, 200_000, 70_000, 0, 200_000}) {
            byte[] blob = randomBytes(length, length);
            long puts = puts(cache);
            cache.replace(key(1), TAGS, ByteBuffer.wrap(blob), cache.epoch());
            eventually("the blob is written", () -> puts(cache) > puts);
            assertThat(cache.get(key(1))).hasValue(blob);
        }
        assertThat(cache.epoch()).isEqualTo(before);
        assertThat(cache.isStale(key(1), TAGS.scope(), before)).isFalse();
    }

    @Test
    void replacementThatWasComputedBeforeAnInvalidationIsNotStored()
    {
        long before = cache.epoch();
        put(cache, key(1), randomBytes(1, 100));
        cache.invalidate(key(1));
        cache.replace(key(1), TAGS, ByteBuffer.wrap(randomBytes(2, 100)), before);
        eventually("the blob is refused", () -> cache.stats().write().staleWrites() == 1);
        assertThat(cache.get(key(1))).isEmpty();
    }

    @Test
    void invalidatedBlobIsGoneAndNotPublishedByWhoBeganBefore()
    {
        byte[] blob = randomBytes(1, 100_000);
        put(cache, key(1), blob);
        put(cache, key(2), blob);
        long before = cache.epoch();
        cache.invalidate(key(1));
        assertThat(cache.isStale(key(1), TAGS.scope(), before)).isTrue();
        assertThat(cache.isStale(key(2), TAGS.scope(), before)).isFalse();
        assertThat(cache.get(key(1))).isEmpty();
        assertThat(cache.get(key(2))).hasValue(blob);
        cache.put(key(1), TAGS, ByteBuffer.wrap(blob), before);
        eventually("the blob is refused", () -> cache.stats().write().staleWrites() == 1);
        assertThat(cache.get(key(1))).isEmpty();
        put(cache, key(1), blob);
        assertThat(cache.get(key(1))).hasValue(blob);
    }
}
