// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.log;

import io.eyrie.cache.log.LimitedLog;
import io.eyrie.cache.thread.Threads;
import io.eyrie.metastore.log.EventLogException.Reason;
import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

import static java.util.Objects.requireNonNull;

/**
 * Keeps a cache up to date with a metastore's notification log. Each {@link #follow} reads the log's current number and reports the changes of all newer events
 * to the listener.
 *
 * <p>Thread-safe. Calls that arrive during a reading share the next one.
 */
public final class LogFollower
{
    /*
     * Position    every event up to it was applied; it and later positions validate values that were loaded after it was read
     * Sharing     a call joins only a reading that begins after the call, so that the reading sees all changes made before the call
     * Trust       the listener drops everything if the number fell, the events do not follow on, the newest known event has changed, the log belongs to another
     *             metastore, or there are more events than are worth reading
     * Restart     a process may begin at a position that an earlier one reached, if the log belongs to the same metastore and its event at that position is the
     *             same; the events since then are applied before anything is trusted
     * Size        an event over many partitions takes many megabytes: each catch-up begins with one new event, and requests more at a time while the responses
     *             are small
     * Grace       while a log fails, entries that it validated last remain valid for the grace period, unless the log is known to contain newer events
     * No log      a log that is missing, refuses access, is newer than what the servers answer from their own caches, or may give two events the same number, is
     *             checked again from time to time: an operator may enable or disable it
     * Errors      a server answers with the same error whether it refuses a call or fails. While a log is followed, this counts as a refusal only after a minute, or
     *             after the grace period if that is longer
     * Wait        the log is read on a thread of its own. A query waits for a limited time; while the reading that it waited for lasts, and for a while after it
     *             failed, others do not wait
     */
    static final long ASK_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(10);
    static final long RETRY_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final Duration MOST_WAIT = Duration.ofSeconds(10);
    static final int MOST_EVENTS = 2000;
    static final int EVENTS_A_CALL = 32;
    static final int LEAST_EVENTS_A_CALL = 2; // includes the newest known event, which is read again
    static final long SMALL_ANSWER_CHARACTERS = 1 << 20;
    private static final System.Logger LOG = System.getLogger(LogFollower.class.getName());

    private final EventLog log;
    private final ChangeListener listener;
    private final long graceNanos;
    private final LongSupplier nanoTime;
    private final FollowerCounters counters = new FollowerCounters();
    private final LogChanges changes;
    private final LimitedLog failures = new LimitedLog(LogFollower.class, Level.WARNING);

    private final long waitNanos;
    private final ThreadPoolExecutor reader;
    private final ReentrantLock reading = new ReentrantLock();
    private final Object next = new Object();
    // guarded by next
    private @Nullable CompletableFuture<Boolean> awaiting;

    // a query did not wait for the end of the reading that runs now or next; set under next
    private volatile boolean overdue;
    private volatile long pausedUntilNanos;

    // all below: changed under reading
    private volatile Mode mode = Mode.UNKNOWN;
    private volatile long readNanos;
    private volatile boolean behind; // known events were not applied
    private String metastore = "";
    private int nextCheck;
    private @Nullable LogEvent newest; // as a digest
    private long position;
    private long askAgainNanos;
    private OptionalLong undeclaredSinceNanos = OptionalLong.empty(); // since when each reading ended with such an error
    private @Nullable Resumption resumption;

    /**
     * Creates a follower that has not yet read the log.
     *
     * @param grace how long after a successful reading cached entries may answer while the log fails; zero means never
     * @param nanoTime a clock like {@link System#nanoTime}
     */
    public LogFollower(EventLog log, ChangeListener listener, Duration grace, LongSupplier nanoTime)
    {
        this(log, listener, grace, nanoTime, MOST_WAIT);
    }

    LogFollower(EventLog log, ChangeListener listener, Duration grace, LongSupplier nanoTime, Duration mostWait)
    {
        this.waitNanos = mostWait.toNanos();
        this.reader = Threads.SYSTEM.pool("eyrie-metastore-log", 1, 1, new LinkedBlockingQueue<>());
        reader.allowCoreThreadTimeOut(true);
        this.graceNanos = grace.toNanos();
        this.log = requireNonNull(log, "log is null");
        this.listener = requireNonNull(listener, "listener is null");
        this.nanoTime = requireNonNull(nanoTime, "nanoTime is null");
        this.changes = new LogChanges(listener);
        this.pausedUntilNanos = nanoTime.getAsLong();
    }

    /**
     * Applies all events that were written to the log before this call.
     *
     * @return whether that succeeded or the grace period lasts; if not, the log validates no cached entry
     */
    public boolean follow()
    {
        CompletableFuture<Boolean> outcome;
        synchronized (next) {
            if (overdue || nanoTime.getAsLong() - pausedUntilNanos < 0) {
                return overdue();
            }
            if (awaiting == null) {
                CompletableFuture<Boolean> created = new CompletableFuture<>();
                reader.execute(() -> readFor(created));
                awaiting = created; // only if there is a thread; it waits for the lock
            }
            else {
                counters.sharedReadings.increment();
            }
            outcome = awaiting;
        }
        try {
            return outcome.get(waitNanos, TimeUnit.NANOSECONDS);
        }
        catch (TimeoutException e) {
            synchronized (next) {
                overdue |= !outcome.isDone();
            }
            failures.log("The metastore's notification log did not answer within " + TimeUnit.NANOSECONDS.toMillis(waitNanos)
                    + " ms. Until it answers, metadata is read from the metastore");
            return overdue();
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
        catch (ExecutionException e) {
            throw new IllegalStateException(e); // no reading ends in this way
        }
    }

    private boolean overdue()
    {
        counters.overdueReadings.increment();
        return isGraceful(nanoTime.getAsLong());
    }

    private void readFor(CompletableFuture<Boolean> outcome)
    {
        boolean succeeded = false;
        reading.lock();
        try {
            synchronized (next) {
                awaiting = null;
            }
            succeeded = read();
        }
        finally {
            reading.unlock();
            synchronized (next) {
                overdue = false;
                outcome.complete(succeeded);
            }
        }
    }

    /**
     * Lets the first reading begin at a position that an earlier process reached. Has no effect after the first reading.
     *
     * @param restore restores what that process had cached at the position. Called at most once, before any later event is applied; does no I/O and does not throw
     */
    public void resumeFrom(LogPosition from, Runnable restore)
    {
        reading.lock();
        try {
            resumption = mode == Mode.UNKNOWN ? new Resumption(from, restore) : null;
        }
        finally {
            reading.unlock();
        }
    }

    /** Returns the position up to which all events were applied; empty if the log is not followed now or its event at the position is not known. */
    public Optional<LogPosition> position()
    {
        reading.lock();
        try {
            LogEvent last = newest;
            return mode == Mode.FOLLOWING && !behind && last != null && last.id() == position
                    ? Optional.of(new LogPosition(metastore, last))
                    : Optional.empty();
        }
        finally {
            reading.unlock();
        }
    }

    /** Whether the metastore was found to have no readable log. */
    public boolean isWithoutLog()
    {
        return mode == Mode.WITHOUT_LOG;
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
            succeeded(now);
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
            withoutLog("metastore.transactional.event.listeners does not contain DbNotificationListener", now);
            return false;
        }
        if (session.cached()) {
            withoutLog("metastore.rawstore.impl is CachedStore, so a server may answer with tables that are older than the log", now);
            return false;
        }
        String identity = session.metastore();
        if (identity.isEmpty()) {
            withoutLog("a metastore before Hive 3.0 may give two events the same number (HIVE-16886)", now);
            return false;
        }
        metastore = identity;
        long current = session.currentId();
        boolean resumes = mode == Mode.UNKNOWN && resumes(session, current);
        if (!resumes) {
            startAt(session, current);
        }
        if (mode != Mode.FOLLOWING) {
            LOG.log(Level.INFO, "Cached metadata is validated by the metastore's notification log");
        }
        mode = Mode.FOLLOWING;
        resumption = null;
        if (resumes) {
            catchUp(session, current);
        }
        succeeded(now);
        askAgainNanos = now + ASK_INTERVAL_NANOS;
        return true;
    }

    private void succeeded(long now)
    {
        readNanos = now;
        undeclaredSinceNanos = OptionalLong.empty();
    }

    /* Continues at the position of an earlier process, if the log still contains it. Until the events since then are applied, nothing is trusted. */
    private boolean resumes(EventLog.Session session, long current)
            throws EventLogException
    {
        Resumption from = resumption;
        if (from == null) {
            return false;
        }
        LogEvent last = from.position().newest();
        if (!from.position().metastore().equals(metastore) || current < last.id() || current - last.id() > MOST_EVENTS) {
            return false;
        }
        List<LogEvent> found = session.eventsAfter(last.id() - 1, 1);
        if (found.isEmpty() || !found.get(0).digest().equals(last)) {
            return false;
        }
        position = last.id();
        newest = last;
        behind = true;
        from.restore().run();
        return true;
    }

    /* Checks one thing at a time, so that a query waits for at most two calls. */
    private boolean sameAsBefore(EventLog.Session session, long now)
            throws EventLogException
    {
        boolean same = switch (nextCheck) {
            case 0 -> metastore.equals(session.metastore());
            case 1 -> session.written();
            default -> !session.cached();
        };
        nextCheck = (nextCheck + 1) % 3;
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

    /* Applies events. Returns false if they are not the newest known event, if one is known, and those that follow it. */
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
            if (event.id() != position && event.id() != position + 1) { // in some databases, two events can have the same number
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

    /* Whether cached entries may answer nevertheless. */
    private boolean failed(EventLogException failure, long now)
    {
        counters.failures.increment();
        if (overdue) {
            pausedUntilNanos = nanoTime.getAsLong() + ASK_INTERVAL_NANOS;
        }
        if (failure.reason() == Reason.REFUSED || (failure.reason() == Reason.UNDECLARED && isRefusal(now))) {
            withoutLog(failure.getMessage() + "; the metastore is too old, or this user needs proxy rights on it, or the metastore needs "
                    + "metastore.metastore.event.db.notification.api.auth=false", now);
            return false;
        }
        if (isGraceful(now)) {
            counters.graceReadings.increment();
            failures.log("Queries use metadata that was valid " + TimeUnit.NANOSECONDS.toSeconds(now - readNanos) + " s ago: " + failure.getMessage(),
                    failure);
            return true;
        }
        failures.log("Metadata is read from the metastore, not from the cache: " + failure.getMessage(), failure);
        return false;
    }

    private boolean isGraceful(long now)
    {
        return mode == Mode.FOLLOWING && !behind && now - readNanos < graceNanos;
    }

    private boolean isRefusal(long now)
    {
        if (mode == Mode.WITHOUT_LOG || (mode == Mode.UNKNOWN && resumption == null)) {
            return true;
        }
        if (undeclaredSinceNanos.isEmpty()) {
            undeclaredSinceNanos = OptionalLong.of(now);
        }
        return now - undeclaredSinceNanos.getAsLong() >= Math.max(RETRY_INTERVAL_NANOS, graceNanos);
    }

    private void withoutLog(String why, long now)
    {
        if (mode != Mode.WITHOUT_LOG) {
            LOG.log(Level.WARNING,
                    "The metastore has no notification log that validates cached metadata, so each query compares cached metadata with the metastore: "
                            + why);
            listener.everythingChanged();
        }
        mode = Mode.WITHOUT_LOG;
        undeclaredSinceNanos = OptionalLong.empty();
        resumption = null;
        askAgainNanos = now + RETRY_INTERVAL_NANOS;
    }

    private enum Mode
    {
        UNKNOWN, FOLLOWING, WITHOUT_LOG
    }

    private record Resumption(LogPosition position, Runnable restore)
    {}
}
