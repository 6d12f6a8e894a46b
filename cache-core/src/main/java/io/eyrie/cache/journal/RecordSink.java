package io.eyrie.cache.journal;

import java.nio.ByteBuffer;

/** Takes the records of a snapshot. */
public interface RecordSink
{
    /**
     * Adds a record to the snapshot.
     *
     * @param record what remains in it, at least 1 byte and at most {@link JournalConfig#maxRecordBytes()}; is copied
     * @return false if the snapshot has failed or is no longer wanted, so that further records would be in vain
     */
    boolean write(ByteBuffer record);
}
