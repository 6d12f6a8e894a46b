// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.journal;

import io.eyrie.cache.device.DeviceOutcome;

import java.nio.ByteBuffer;

/**
 * The journal of one owner's state in one directory. Thread-safe. Disk failures appear in outcomes and counters, never as exceptions. Once the disk
 * works again, the journal starts over with a snapshot, without help from its owner.
 */
public interface Journal
        extends AutoCloseable
{
    /** Returns the result of recovery, which ran when the journal was opened. */
    Recovery recovery();

    /**
     * Accepts a record, which is on the disk within the flush interval. Does not wait for the disk. A record that is not accepted is missing after a
     * restart, unless a snapshot was written before. The journal writes one as soon as it can.
     *
     * <p>The owner changes its state first and then appends the record, so that a snapshot contains the effects of all earlier logs.
     *
     * @param record its remaining bytes, at least 1 byte and at most {@link JournalConfig#maxRecordBytes()}; is copied
     */
    AppendOutcome append(ByteBuffer record);

    /** Makes the journal write a snapshot soon. */
    void requestSnapshot();

    /**
     * Waits until every record accepted before the call survives a power loss.
     *
     * @return {@code OK} if so, {@code INTERRUPTED} if the caller was interrupted, {@code CLOSED}, or the disk's failure
     */
    DeviceOutcome flush();

    /**
     * Whether a restart would restore everything that was ever appended. A snapshot makes up for refused records. Still valid after the journal is
     * closed.
     */
    boolean isWhole();

    /** Whether the journal has ended and writes nothing anymore. Until then, its directory must not be opened again. */
    boolean hasEnded();

    JournalStats stats();

    /** Flushes and ends the journal's thread. If the disk hangs, waits no longer than the configured time. Closing again has no effect. */
    @Override
    void close();

    /**
     * Closes as {@link #close()} does, and replaces the logs with a snapshot if there is time: for the part of the owner's state that no record
     * contains.
     */
    void closeWithSnapshot();
}
