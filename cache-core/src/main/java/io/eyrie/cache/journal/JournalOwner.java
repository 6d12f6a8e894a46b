// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.journal;

/** The owner of the state that a {@link Journal} persists. */
public interface JournalOwner
        extends ReplayTarget
{
    /**
     * Writes the whole state as records. The journal's thread calls this while other threads change the state and append. Returns early if the sink
     * accepts no more records.
     */
    void snapshot(RecordSink sink);
}
