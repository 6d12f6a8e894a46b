// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.clock.AnchoredClock;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.crypt.KeyRing;
import io.eyrie.cache.device.Device;
import io.eyrie.cache.device.LocalDevice;
import io.eyrie.cache.journal.FileJournal;
import io.eyrie.cache.journal.JournalConfig;
import io.eyrie.cache.thread.Threads;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The parts of a store besides its configuration.
 *
 * @param clockMillis the time of day from an {@link AnchoredClock}, which does not jump
 * @param generations numbers that hardly ever repeat, for the generations of segments
 */
record StoreParts(Device device, LongSupplier clockMillis, SequencePoint point, Threads threads, LongSupplier generations)
{
    private static final int LEAST_LOG_BYTES = 64 << 10;
    private static final int MOST_LOG_BYTES = 32 << 20;
    private static final int BUFFER_BYTES = 128 << 10;
    private static final int LOG_SHARE = 64;
    private static final Duration CLOSE_WAIT = Duration.ofSeconds(10);

    /** With the system's threads. */
    StoreParts(Device device, LongSupplier clockMillis, SequencePoint point)
    {
        this(device, clockMillis, point, Threads.SYSTEM, new SecureRandom()::nextLong);
    }

    static StoreParts local()
    {
        return new StoreParts(new LocalDevice(), AnchoredClock.SYSTEM, SequencePoint.NONE);
    }

    StoreContext context(PageCacheConfig config, Layout layout, Optional<KeyRing> keys)
    {
        int logBytes = (int) Math.max(LEAST_LOG_BYTES, Math.min(MOST_LOG_BYTES, config.capacityBytes() / LOG_SHARE));
        JournalConfig journal = new JournalConfig(
                recordsVersion(layout),
                layout.pageSizeBytes(),
                Math.min(logBytes, BUFFER_BYTES),
                Duration.ofMillis(config.flushIntervalMillis()),
                logBytes,
                CLOSE_WAIT);
        return new StoreContext(
                this,
                keys,
                layout,
                (folder, journaled) -> FileJournal.open(device, folder, journal, keys, journaled, threads));
    }

    /** The version of the owner's records in the journal: another granule size is another format. */
    static int recordsVersion(Layout layout)
    {
        return Records.VERSION * Integer.SIZE + Integer.numberOfTrailingZeros(layout.granuleBytes());
    }

    TableSettings settings(PageCacheConfig config, Layout layout)
    {
        return new TableSettings(layout, config, config.indexMemoryBytes() / config.baseDirectories().size(), clockMillis);
    }
}
