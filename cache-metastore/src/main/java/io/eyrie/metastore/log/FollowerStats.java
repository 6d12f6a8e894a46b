package io.eyrie.metastore.log;

/**
 * Counters of a {@link LogFollower}, at one moment.
 *
 * @param readings times that the log was asked for its current number
 * @param sharedReadings calls that shared another's reading
 * @param events events applied
 * @param longEvents those that are too long to be parsed, so that everything about their table was forgotten
 * @param restarts times that everything was forgotten and the log followed from its current number on, the first time included
 * @param failures readings that failed
 * @param graceReadings those after which what is cached answered nevertheless
 */
public record FollowerStats(long readings, long sharedReadings, long events, long longEvents, long restarts, long failures, long graceReadings)
{
    /** Of no log. */
    public static final FollowerStats NONE = new FollowerStats(0, 0, 0, 0, 0, 0, 0);
}
