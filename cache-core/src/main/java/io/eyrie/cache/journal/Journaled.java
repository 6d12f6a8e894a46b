package io.eyrie.cache.journal;

/** The owner of the state that a {@link Journal} keeps. */
public interface Journaled
        extends Replayed
{
    /**
     * Writes the whole state as records. Called by the journal's thread while others change the state and append. Ends early
     * where the sink wants no more.
     */
    void snapshot(RecordSink sink);
}
