package io.eyrie.cache.journal;

import io.eyrie.cache.device.DeviceOutcome;

import java.nio.ByteBuffer;

/**
 * The journal of one owner's state in one directory. Thread-safe. A disk that fails shows in outcomes and counters, never as
 * an exception; once it works again, the journal starts anew with a snapshot by itself.
 */
public interface Journal
        extends AutoCloseable
{
    /** What opening found. */
    Recovery recovery();

    /**
     * Takes over a record, which is on the disk within the flush interval. Does not wait for the disk. A record that is not
     * accepted is missing after a restart, unless a snapshot comes before: the journal writes one as soon as it can.
     *
     * <p>The owner changes its state first and appends then, so that a snapshot holds what logs before it held.
     *
     * @param record what remains in it, at least 1 byte and at most {@link JournalConfig#maxRecordBytes()}; is copied
     */
    AppendOutcome append(ByteBuffer record);

    /** Makes the journal write a snapshot soon. */
    void requestSnapshot();

    /**
     * Waits until every record accepted before survives a power loss.
     *
     * @return {@code OK} if so, {@code INTERRUPTED} if the caller was, {@code CLOSED}, or why the disk failed
     */
    DeviceOutcome flush();

    /** Whether a restart would find all that was ever appended, refused records made up for; lasts once the journal is closed. */
    boolean isWhole();

    /** Whether it was closed and writes nothing any more. Until then its directory must not be opened again. */
    boolean hasEnded();

    JournalStats stats();

    /** Flushes and ends the journal's thread; waits for a disk that hangs no longer than the configured time. Again: does nothing. */
    @Override
    void close();

    /** As {@link #close()}, and puts a snapshot in the place of the logs if there is time: for what the owner's state has that no record tells. */
    void closeWithSnapshot();
}
