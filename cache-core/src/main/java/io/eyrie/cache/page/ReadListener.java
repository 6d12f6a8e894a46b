// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.page;

/**
 * Observes the reads of one reader. Called on the reader's thread, before its read returns or throws. Must not throw.
 */
public interface ReadListener
{
    ReadListener NOOP = new ReadListener() {};

    /**
     * Some bytes of a read were served without a request to the remote store: from the disk, from memory, or from a fetch that another reader caused.
     * Called at most once per read.
     *
     * @param pages the pages that were served whole, apart from those that {@link #onMiss} receives; the bytes may also be parts of those
     */
    default void onCacheRead(int pages, long bytes, long nanos)
    {}

    /**
     * A page that the reader looked up was not served from the disk or from memory, or not whole.
     *
     * @param bytes the requested bytes of the page that {@link #onCacheRead} does not receive
     */
    default void onMiss(MissCause cause, long bytes)
    {}

    /**
     * A range was requested from the remote store on behalf of this reader, whether it arrived or failed.
     *
     * @param bytes the length of the range, which may exceed the bytes requested by the reader
     * @param nanos how long the reader waited for it
     */
    default void onRemoteRead(long bytes, long nanos)
    {}

    /** Returns a listener that calls this listener and then another one. */
    default ReadListener and(ReadListener other)
    {
        return new ReadListener() {
            @Override
            public void onCacheRead(int pages, long bytes, long nanos)
            {
                ReadListener.this.onCacheRead(pages, bytes, nanos);
                other.onCacheRead(pages, bytes, nanos);
            }

            @Override
            public void onMiss(MissCause cause, long bytes)
            {
                ReadListener.this.onMiss(cause, bytes);
                other.onMiss(cause, bytes);
            }

            @Override
            public void onRemoteRead(long bytes, long nanos)
            {
                ReadListener.this.onRemoteRead(bytes, nanos);
                other.onRemoteRead(bytes, nanos);
            }
        };
    }
}
