// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.journal;

import java.nio.ByteBuffer;

/** Receives the records of a snapshot. */
public interface RecordSink
{
    /**
     * Adds a record to the snapshot.
     *
     * @param record its remaining bytes, at least 1 byte and at most {@link JournalConfig#maxRecordBytes()}; is copied
     * @return false if the snapshot has failed or is no longer needed, so that further records would be useless
     */
    boolean write(ByteBuffer record);
}
