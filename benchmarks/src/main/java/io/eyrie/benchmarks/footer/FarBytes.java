// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.footer;

import io.eyrie.cache.page.RangeSource;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import static java.util.Objects.requireNonNull;

/** Simulates a file behind a link: each range takes the latency plus the time of its bytes. Counts requests. Thread-safe. */
final class FarBytes
        implements RangeSource
{
    /** The bandwidth of the harness's standard link. */
    private static final int BYTES_PER_SECOND = 50_000_000;

    private final byte[] content;
    private final long latencyNanos;
    private final AtomicLong requests = new AtomicLong();

    FarBytes(byte[] content, int latencyMillis)
    {
        this.content = requireNonNull(content, "content is null");
        latencyNanos = TimeUnit.MILLISECONDS.toNanos(latencyMillis);
    }

    int lengthBytes()
    {
        return content.length;
    }

    long requests()
    {
        return requests.get();
    }

    @Override
    public void readFully(long position, byte[] buffer, int offset, int length)
    {
        requests.incrementAndGet();
        long arrivalNanos = System.nanoTime() + latencyNanos + length * TimeUnit.SECONDS.toNanos(1) / BYTES_PER_SECOND;
        System.arraycopy(content, (int) position, buffer, offset, length);
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
