package io.eyrie.benchmarks.micro;

import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.file.StoreId;
import io.eyrie.cache.page.CacheMode;
import io.eyrie.cache.page.CachedFile;
import io.eyrie.cache.page.PageCache;
import io.eyrie.cache.page.RangeSource;
import io.eyrie.cache.page.ReadContext;
import io.eyrie.cache.page.ReadListener;

import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** A remote file whose bytes are made up, the same ones for the same name at any time, and which counts the ranges that are asked of it. Thread-safe. */
final class SyntheticFile
{
    private static final ReadContext CONTEXT = new ReadContext(
            new Scope("bench", "micro", "files", ""),
            CacheMode.READ_WRITE,
            ReadListener.NOOP);
    /* No multiple of any page size, so that pages of a file differ. */
    private static final byte[] BYTES = new byte[1_048_583];

    static {
        new Random(20261121).nextBytes(BYTES);
    }

    private final String path;
    private final int lengthBytes;
    private final int shift;
    private final long nanosPerMebibyte;
    private final long latencyNanos;
    private final AtomicLong requests = new AtomicLong();

    SyntheticFile(String path, int lengthBytes)
    {
        this(path, lengthBytes, 0, 0);
    }

    /** A file behind a link: each range takes the latency and the time of its bytes at that rate. */
    SyntheticFile(String path, int lengthBytes, long latencyMillis, int mebibytesPerSecond)
    {
        this.path = path;
        this.lengthBytes = lengthBytes;
        shift = Math.floorMod(path.hashCode(), BYTES.length);
        latencyNanos = TimeUnit.MILLISECONDS.toNanos(latencyMillis);
        nanosPerMebibyte = mebibytesPerSecond == 0 ? 0 : TimeUnit.SECONDS.toNanos(1) / mebibytesPerSecond;
    }

    int lengthBytes()
    {
        return lengthBytes;
    }

    /** How many ranges were asked for. */
    long requests()
    {
        return requests.get();
    }

    CachedFile open(PageCache cache)
    {
        FileVersion version = new FileVersion(StoreId.shared("synthetic"), path, lengthBytes, 1, Optional.empty());
        return cache.open(version, new Source(), CONTEXT);
    }

    /** Whether these are the file's bytes at a position. */
    boolean has(long position, byte[] bytes, int length)
    {
        int done = 0;
        while (done < length) {
            int from = from(position + done);
            int some = Math.min(length - done, BYTES.length - from);
            if (!Arrays.equals(bytes, done, done + some, BYTES, from, from + some)) {
                return false;
            }
            done += some;
        }
        return true;
    }

    private int from(long position)
    {
        return (int) ((position + shift) % BYTES.length);
    }

    private final class Source
            implements RangeSource
    {
        @Override
        public void readFully(long position, byte[] buffer, int offset, int length)
        {
            requests.incrementAndGet();
            long arrivalNanos = System.nanoTime() + latencyNanos + length * nanosPerMebibyte / (1 << 20);
            int done = 0;
            while (done < length) {
                int from = from(position + done);
                int some = Math.min(length - done, BYTES.length - from);
                System.arraycopy(BYTES, from, buffer, offset + done, some);
                done += some;
            }
            for (long left = arrivalNanos - System.nanoTime(); left > 0; left = arrivalNanos - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
        }

        @Override
        public void close()
        {
            // nothing is open
        }
    }
}
