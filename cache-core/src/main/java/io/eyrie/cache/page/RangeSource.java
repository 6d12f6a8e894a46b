// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.page;

import java.io.Closeable;
import java.io.IOException;

/**
 * Reads ranges of one file version from the remote store.
 *
 * <p>The {@link CachedFile} opened over a source owns it and closes it once: when the file is closed and the last read or fetch over the source
 * has ended, on the thread that ends last. An unread source must cost nothing, so implementations connect at the first read.
 *
 * <p>Called by several threads at a time: readers and the cache's fetch threads, which run with the context class loader of the reader that
 * caused the fetch. The implementation carries over whatever else the remote client binds to a thread (a user, a subject). The cache never
 * interrupts calls.
 */
public interface RangeSource
        extends Closeable
{
    /**
     * Reads exactly {@code length} bytes from {@code position} of the file. The cache never reads beyond the version's length. Any exception,
     * checked or not, reaches unchanged the reader on whose behalf the range is read; the cache does not retry.
     */
    void readFully(long position, byte[] buffer, int offset, int length)
            throws IOException;
}
