package io.eyrie.cache.journal;

import java.nio.ByteBuffer;

/** State that is built from the records of a {@link Journal}. */
public interface Replayed
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
}
