// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.journal;

import io.eyrie.cache.config.ConfigException;

import java.time.Duration;

/**
 * Settings of a journal.
 *
 * @param ownerVersion version of the owner's records; files with another one are dropped
 * @param pageSizeBytes page size that the owner's records assume; files with another one are dropped
 * @param bufferBytes maximum number of bytes of records that wait to be written; twice as much off-heap memory is allocated
 * @param flushInterval maximum time that an accepted record waits before it is written and forced, if the disk is fast enough
 * @param snapshotLogBytes a snapshot is written when the logs exceed this, and exceed the size of the last snapshot
 * @param closeWait how long closing waits for a disk that hangs
 */
public record JournalConfig(
        int ownerVersion,
        int pageSizeBytes,
        int bufferBytes,
        Duration flushInterval,
        long snapshotLogBytes,
        Duration closeWait)
{
    private static final int MIN_BUFFER_BYTES = 64 << 10;
    private static final int MAX_BUFFER_BYTES = 64 << 20;
    private static final int DEFAULT_BUFFER_BYTES = 1 << 20;
    private static final Duration DEFAULT_FLUSH_INTERVAL = Duration.ofSeconds(1);
    private static final long DEFAULT_SNAPSHOT_LOG_BYTES = 32L << 20;
    private static final Duration DEFAULT_CLOSE_WAIT = Duration.ofSeconds(10);
    private static final int MAX_RECORD_BYTES = 16 << 10;

    public JournalConfig
    {
        check(bufferBytes >= MIN_BUFFER_BYTES && bufferBytes <= MAX_BUFFER_BYTES,
                "bufferBytes", bufferBytes, "it must be from " + MIN_BUFFER_BYTES + " to " + MAX_BUFFER_BYTES, "set it to 1 MiB");
        check(flushInterval.compareTo(Duration.ZERO) > 0, "flushInterval", flushInterval, "it must be positive", "set it to 1 s");
        check(snapshotLogBytes >= bufferBytes,
                "snapshotLogBytes", snapshotLogBytes, "it must be at least bufferBytes, " + bufferBytes, "set it to 32 MiB");
        check(!closeWait.isNegative(), "closeWait", closeWait, "it must not be negative", "set it to 10 s");
    }

    /** Returns the defaults. */
    public static JournalConfig of(int ownerVersion, int pageSizeBytes)
    {
        return new JournalConfig(
                ownerVersion,
                pageSizeBytes,
                DEFAULT_BUFFER_BYTES,
                DEFAULT_FLUSH_INTERVAL,
                DEFAULT_SNAPSHOT_LOG_BYTES,
                DEFAULT_CLOSE_WAIT);
    }

    /** The maximum length of a record. */
    public static int maxRecordBytes()
    {
        return MAX_RECORD_BYTES;
    }

    private static void check(boolean good, String key, Object value, String allowed, String fix)
    {
        if (!good) {
            throw new ConfigException(key, value.toString(), allowed, fix);
        }
    }
}
