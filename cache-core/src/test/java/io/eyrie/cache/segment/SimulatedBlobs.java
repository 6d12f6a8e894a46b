// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.blob.BlobCache;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.cache.blob.StoreBlobCache;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.page.ReadThroughPageCache;
import io.eyrie.cache.page.TestingSource;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.StorageClass;
import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;

/** The blobs of a {@link StoreSimulation}, which are replaced again and again. */
final class SimulatedBlobs
{
    /*
     * Blob        its number, and bytes that depend on its number and key
     * Order       a lookup does not return an earlier blob than a lookup that ended before it began, unless the process or a disk failed in the meantime
     */
    private static final int KEYS = 3;
    private static final int MOST_BYTES = 3 * TestingStore.PAGE;
    private static final PageTags TAGS = new PageTags(new Scope("hive", "web", "blobs", ""), StorageClass.DATA);

    private final Random dice;
    private final long[] written = new long[KEYS];
    private final long[] found = new long[KEYS];
    private BlobCache blobs;

    SimulatedBlobs(Random dice, SegmentPageStore store, ReadThroughPageCache cache)
    {
        this.dice = dice;
        blobs = open(store, cache);
    }

    private static BlobCache open(SegmentPageStore store, ReadThroughPageCache cache)
    {
        return new StoreBlobCache(store, cache.writer(), TestingStore.PAGE, MOST_BYTES);
    }

    /** Continues with the store of another process. */
    void reopen(SegmentPageStore store, ReadThroughPageCache cache)
    {
        blobs = open(store, cache);
        forget();
    }

    /** Expects earlier blobs again. */
    void forget()
    {
        Arrays.fill(found, 0);
    }

    /**
     * Replaces, invalidates and looks up a blob a few times. Returns a description of the first wrong answer, or null if there is none.
     *
     * @param meanwhile lets other work run, between two of these operations
     */
    @Nullable
    String use(Runnable meanwhile)
    {
        int key = dice.nextInt(KEYS);
        String wrong = null;
        for (int i = dice.nextInt(8); i >= 0 && wrong == null; i--) {
            meanwhile.run();
            wrong = use(key);
        }
        return wrong;
    }

    private @Nullable String use(int key)
    {
        return switch (dice.nextInt(8)) {
            case 0, 1, 2 -> {
                ByteBuffer blob = ByteBuffer.wrap(content(key, ++written[key]));
                blobs.replace(key(key), TAGS, blob, blobs.epoch());
                yield null;
            }
            case 3 -> {
                if (dice.nextBoolean()) {
                    yield null;
                }
                blobs.invalidate(key(key));
                yield null;
            }
            default -> found(key);
        };
    }

    private @Nullable String found(int key)
    {
        long least = found[key];
        Optional<byte[]> blob = blobs.get(key(key));
        if (blob.isEmpty()) {
            return null;
        }
        long number = ByteBuffer.wrap(blob.get()).getLong();
        if (number < 1 || number > written[key] || !Arrays.equals(blob.get(), content(key, number))) {
            return "blob " + key + " is not the one with number " + number;
        }
        if (found[key] >= least && number < least) {
            return "blob " + key + " has number " + number + " after it had " + least;
        }
        found[key] = Math.max(found[key], number);
        return null;
    }

    private static byte[] content(int key, long number)
    {
        int length = Long.BYTES + new Random(number * KEYS + key).nextInt(MOST_BYTES - Long.BYTES);
        return ByteBuffer.wrap(TestingSource.randomBytes(number * KEYS + key, length)).putLong(number).array();
    }

    private static BlobKey key(int number)
    {
        return new BlobKey(number * 0x9E3779B97F4A7C15L, number);
    }
}
