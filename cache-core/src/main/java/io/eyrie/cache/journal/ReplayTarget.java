// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.journal;

import java.nio.ByteBuffer;

/** State that is restored from the records of a {@link Journal}. */
public interface ReplayTarget
{
    /** Announces that a snapshot with this number of records, some of which may be damaged, is replayed next. */
    default void expect(long records)
    {}

    /**
     * Applies a record that was appended or was part of a snapshot. The thread that replays the journal calls this, in order; the buffer is valid
     * only during the call.
     *
     * <p>Records are appended while a snapshot is written. Therefore a record may be replayed on a state that already has its effect, or that of a
     * later record: a record must describe a state, not a change.
     *
     * @return false if the record is invalid; it is counted
     */
    boolean replay(ByteBuffer record);
}
