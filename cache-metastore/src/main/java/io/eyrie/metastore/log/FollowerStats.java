// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.log;

/**
 * A snapshot of the counters of a {@link LogFollower}.
 *
 * @param readings attempts to read the log's current number
 * @param sharedReadings calls that shared another call's reading
 * @param events applied events
 * @param longEvents events that are too long to parse, after which everything about their table was dropped
 * @param restarts times that everything was dropped and the log followed from its current number on, including the first time
 * @param failures failed readings
 * @param graceReadings failed readings after which cached entries still answered
 */
public record FollowerStats(long readings, long sharedReadings, long events, long longEvents, long restarts, long failures, long graceReadings)
{
    /** The counters of a metastore without a log. */
    public static final FollowerStats NONE = new FollowerStats(0, 0, 0, 0, 0, 0, 0);
}
