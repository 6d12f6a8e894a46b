// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.result;

import com.facebook.presto.common.Page;

import java.util.Optional;

/** Records a result while it is computed. A recording that is not finished leaves nothing. Used by one thread at a time. */
public interface ResultRecorder
        extends AutoCloseable
{
    /** Adds the next page, with the requested columns. Does nothing once a bound is exceeded. */
    void add(Page page);

    /** Signals that all pages were added. The result is passed to its waiters, and stored if it is worth it. */
    void finish(Cost cost);

    /** Returns why nothing was stored; empty while the recording goes on, and if its result was stored. */
    Optional<Abandonment> abandonment();

    /** Returns the memory that the recording holds. */
    long retainedBytes();

    /** Abandons the recording, unless it is finished: the waiters then compute the result themselves. */
    @Override
    void close();
}
