package io.eyrie.cache.page;

/**
 * Hears what one reader did. Called on the reader's thread, before its read returns or throws. Must not throw.
 */
public interface ReadListener
{
    ReadListener NOOP = new ReadListener() {};

    /**
     * Part of a read was served without asking the remote store: from the disk, from memory, or from a fetch that another
     * reader caused. At most once for each read.
     */
    default void onCacheRead(long bytes, long nanos)
    {}

    /**
     * A page that the reader looked up was not served from the disk or from memory, or not wholly.
     *
     * @param bytes what the reader wanted of it
     */
    default void onMiss(MissCause cause, long bytes)
    {}

    /**
     * One range was asked of the remote store on behalf of this reader, whether it arrived or failed.
     *
     * @param bytes the length of the range, which may be more than the reader asked for
     * @param nanos how long the reader waited for it
     */
    default void onRemoteRead(long bytes, long nanos)
    {}

    /** This listener, and another one after it. */
    default ReadListener and(ReadListener other)
    {
        return new ReadListener() {
            @Override
            public void onCacheRead(long bytes, long nanos)
            {
                ReadListener.this.onCacheRead(bytes, nanos);
                other.onCacheRead(bytes, nanos);
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
