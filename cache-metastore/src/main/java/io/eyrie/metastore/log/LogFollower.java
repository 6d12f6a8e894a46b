package io.eyrie.metastore.log;

import io.eyrie.cache.log.LimitedLog;
import io.eyrie.metastore.log.EventLogException.Reason;
import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

import static java.util.Objects.requireNonNull;

/**
 * Keeps a cache in step with a metastore's notification log: each {@link #follow} reads the log's current number and has the listener told what the events since
 * the last one changed.
 *
 * <p>Thread-safe. Calls that arrive while one is reading share the next reading.
 */
public final class LogFollower
{
    /*
     * Position    every event up to it was applied; what is loaded after it was read is vouched for by it and later ones
     * Sharing     a call joins only a reading that begins after it arrived: what was changed before the call is then seen
     * Trust       the listener forgets everything if the number fell, the events are not the ones that follow on, the newest event known is not the one that it was,
     *             the log is another metastore's, or there are more events than are worth reading
     * Size        an event over many partitions is many megabytes: each catching up begins with one new event, and asks for more at a time while the answers are small
     * Grace       a log that fails vouches on for what it vouched for last, unless it is known to hold more
     * No log      found by asking, and asked again from time to time: an operator may switch the log on or off
     */
    static final long ASK_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(10);
    static final long RETRY_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(60);
    static final int MOST_EVENTS = 2000;
    static final int EVENTS_A_CALL = 32;
    static final int LEAST_EVENTS_A_CALL = 2; // the newest known one is asked for again
    static final long SMALL_ANSWER_CHARACTERS = 1 << 20;
    private static final System.Logger LOG = System.getLogger(LogFollower.class.getName());

    private final EventLog log;
    private final ChangeListener listener;
    private final long graceNanos;
    private final LongSupplier nanoTime;
    private final FollowerCounters counters = new FollowerCounters();
    private final LogChanges changes;
    private final LimitedLog failures = new LimitedLog(LogFollower.class, Level.WARNING);

    private final ReentrantLock reading = new ReentrantLock();
    private final Object next = new Object();
    private @Nullable Reading awaiting;

    private volatile boolean vouching;
    private volatile boolean withoutLog;

    // all below: by the thread that holds reading
    private Mode mode = Mode.UNKNOWN;
    private String metastore = "";
    private boolean askWritten;
    private @Nullable LogEvent newest; // its digest
    private long position;
    private long askAgainNanos;
    private long readNanos;
    private boolean behind; // events are known of that were not applied

    /**
     * Follows nothing yet.
     *
     * @param grace for how long after a reading what is cached may answer while the log fails, zero: not at all
     * @param nanoTime the clock, as of {@link System#nanoTime}
     */
    public LogFollower(EventLog log, ChangeListener listener, Duration grace, LongSupplier nanoTime)
    {
        this.graceNanos = grace.toNanos();
        this.log = requireNonNull(log, "log is null");
        this.listener = requireNonNull(listener, "listener is null");
        this.nanoTime = requireNonNull(nanoTime, "nanoTime is null");
        this.changes = new LogChanges(listener);
    }

    /**
     * Applies all that was written to the log before this call.
     *
     * @return whether that worked, or the grace lasts; if not, nothing cached may answer
     */
    public boolean follow()
    {
        Reading mine;
        synchronized (next) {
            if (awaiting == null) {
                awaiting = new Reading();
            }
            else {
                counters.sharedReadings.increment();
            }
            mine = awaiting;
        }
        reading.lock();
        try {
            if (mine.outcome == null) {
                synchronized (next) {
                    awaiting = null;
                }
                mine.outcome = read();
                withoutLog = mode == Mode.WITHOUT_LOG;
                vouching = mine.outcome || withoutLog;
            }
            return mine.outcome;
        }
        finally {
            reading.unlock();
        }
    }

    /** Whether the listener knows all that can be known: the last reading worked, or there is no log to know it from. */
    public boolean isVouching()
    {
        return vouching;
    }

    /** Whether the metastore was found to have no log that can be read. */
    public boolean isWithoutLog()
    {
        return withoutLog;
    }

    public FollowerStats stats()
    {
        return counters.snapshot();
    }

    private boolean read()
    {
        long now = nanoTime.getAsLong();
        if (mode == Mode.WITHOUT_LOG && now - askAgainNanos < 0) {
            return false;
        }
        counters.readings.increment();
        try (EventLog.Session session = log.open()) {
            if (mode != Mode.FOLLOWING) {
                return begin(session, now);
            }
            if (now - askAgainNanos >= 0 && !sameAsBefore(session, now)) {
                return begin(session, now);
            }
            catchUp(session, session.currentId());
            readNanos = now;
            return true;
        }
        catch (EventLogException e) {
            return failed(e, now);
        }
        catch (RuntimeException e) {
            return failed(new EventLogException(Reason.FAILED, "The metastore's notification log cannot be read: " + e, e), now);
        }
    }

    private boolean begin(EventLog.Session session, long now)
            throws EventLogException
    {
        if (!session.written()) {
            withoutLog("it names no DbNotificationListener in metastore.transactional.event.listeners", now);
            return false;
        }
        metastore = session.metastore();
        startAt(session, session.currentId());
        if (mode != Mode.FOLLOWING) {
            LOG.log(Level.INFO, "Cached metadata is validated by the metastore's notification log");
        }
        mode = Mode.FOLLOWING;
        readNanos = now;
        askAgainNanos = now + ASK_INTERVAL_NANOS;
        return true;
    }

    /* One question at a time, so that a query waits for two calls at the most. */
    private boolean sameAsBefore(EventLog.Session session, long now)
            throws EventLogException
    {
        boolean same = askWritten ? session.written() : metastore.equals(session.metastore());
        askWritten = !askWritten;
        askAgainNanos = now + ASK_INTERVAL_NANOS;
        return same;
    }

    private void catchUp(EventLog.Session session, long current)
            throws EventLogException
    {
        if (current < position || current - position > MOST_EVENTS) {
            startAt(session, current);
        }
        behind = position < current;
        int eventsACall = LEAST_EVENTS_A_CALL;
        while (position < current) {
            LogEvent known = newest;
            List<LogEvent> events = session.eventsAfter(known == null ? position : position - 1, eventsACall);
            if (!apply(known, events)) {
                startAt(session, current);
            }
            eventsACall = isSmall(events) ? Math.min(EVENTS_A_CALL, 4 * eventsACall) : LEAST_EVENTS_A_CALL;
        }
        behind = false;
    }

    private static boolean isSmall(List<LogEvent> events)
    {
        return events.stream().mapToLong(event -> event.message().length()).sum() < SMALL_ANSWER_CHARACTERS;
    }

    /* Whether they are the newest known event, if one is known, and those that follow on. */
    private boolean apply(@Nullable LogEvent known, List<LogEvent> events)
    {
        if (known != null && (events.isEmpty() || !events.get(0).digest().equals(known))) {
            return false;
        }
        List<LogEvent> following = known == null ? events : events.subList(1, events.size());
        if (following.isEmpty() || following.get(0).id() != position + 1) {
            return false;
        }
        for (LogEvent event : following) {
            if (event.id() != position && event.id() != position + 1) { // some databases let two events have one number
                return false;
            }
            changes.apply(event);
            counters.events.increment();
            if (event.message().length() > LogChanges.MOST_CHARACTERS) {
                counters.longEvents.increment();
                failures.log("Event " + event.id() + " (" + event.type() + " of " + event.database() + "." + event.table()
                        + ") of the metastore's log has "
                        + event.message().length() + " characters and is not parsed: all cached metadata of its table is dropped");
            }
            position = event.id();
            newest = event.digest();
        }
        return true;
    }

    private void startAt(EventLog.Session session, long current)
            throws EventLogException
    {
        counters.restarts.increment();
        position = current;
        newest = null;
        listener.everythingChanged();
        List<LogEvent> last = current > 0 ? session.eventsAfter(current - 1, 1) : List.of();
        newest = !last.isEmpty() && last.get(0).id() == current ? last.get(0).digest() : null;
    }

    /* Whether what is cached may answer nevertheless. */
    private boolean failed(EventLogException failure, long now)
    {
        counters.failures.increment();
        if (failure.reason() == Reason.REFUSED) {
            withoutLog(failure.getMessage() + "; either the metastore is too old, or this user needs proxy rights on it, or "
                    + "metastore.metastore.event.db.notification.api.auth=false", now);
            return false;
        }
        if (mode == Mode.FOLLOWING && !behind && now - readNanos < graceNanos) {
            counters.graceReadings.increment();
            failures.log("Metadata that was valid " + TimeUnit.NANOSECONDS.toSeconds(now - readNanos) + " s ago answers: " + failure.getMessage(),
                    failure);
            return true;
        }
        failures.log("Metadata is read past the cache: " + failure.getMessage(), failure);
        return false;
    }

    private void withoutLog(String why, long now)
    {
        if (mode != Mode.WITHOUT_LOG) {
            LOG.log(Level.WARNING, "The metastore keeps no notification log that can be read, so each query compares cached metadata with it: "
                    + why);
            listener.everythingChanged();
        }
        mode = Mode.WITHOUT_LOG;
        askAgainNanos = now + RETRY_INTERVAL_NANOS;
    }

    private enum Mode
    {
        UNKNOWN, FOLLOWING, WITHOUT_LOG
    }

    private static final class Reading
    {
        @Nullable
        Boolean outcome; // by the thread that holds reading
    }
}
