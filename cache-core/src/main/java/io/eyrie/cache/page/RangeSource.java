package io.eyrie.cache.page;

import java.io.Closeable;
import java.io.IOException;

/**
 * Reads ranges of one file version from the remote store.
 *
 * <p>The {@link CachedFile} opened over a source owns it and closes it once: when the file is closed and the last
 * fetch over the source has ended, on the thread that ends last. A source that is never read costs nothing, so
 * implementations connect at the first read.
 *
 * <p>Called by several threads at a time: readers and the cache's own fetch threads, these with the context class
 * loader of the reader that caused the fetch. Whatever else the remote client binds to a thread (a user, a
 * subject) is the implementation's to carry over. Calls are never interrupted by the cache.
 */
public interface RangeSource
        extends Closeable
{
    /**
     * Reads exactly {@code length} bytes from {@code position} of the file. The cache never asks beyond the version's
     * length. Whatever this throws, checked or not, reaches every reader that waits for the range as it is; it is not
     * retried.
     */
    void readFully(long position, byte[] buffer, int offset, int length)
            throws IOException;
}
