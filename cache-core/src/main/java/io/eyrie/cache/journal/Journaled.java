package io.eyrie.cache.journal;

import java.nio.ByteBuffer;

/** The owner of the state that a {@link Journal} keeps. */
public interface Journaled
{
    /** Says that a snapshot of so many records, some of which may be damaged, is replayed next. */
    default void expect(long records)
    {}

    /**
     * Applies a record that was appended or part of a snapshot. Called by the thread that opens the journal, in order; the buffer is
     * valid only during the call.
     *
     * <p>A snapshot is taken while records go on being appended, so a record may be replayed on a state that holds its effect already, or a
     * later one's: a record must say how things are, not how they change.
     *
     * @return false if the record makes no sense; it is counted
     */
    boolean replay(ByteBuffer record);

    /**
     * Writes the whole state as records. Called by the journal's thread while others change the state and append. Ends early
     * where the sink wants no more.
     */
    void snapshot(RecordSink sink);
}
