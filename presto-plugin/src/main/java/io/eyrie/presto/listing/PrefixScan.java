// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.listing;

import com.amazonaws.services.s3.model.S3ObjectSummary;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Finds the objects of the directories that one scan will list, many with one page of keys. Returns each directory once; the caller lists a directory that no
 * page answers.
 *
 * <p>Thread-safe. A thread without an answer fetches a page outside of the lock; other threads wait for it for a bounded time.
 */
final class PrefixScan
{
    /*
     * Requests    Each page costs one credit. A scan starts with one credit, and each requested directory that a page answers adds one, because it needs no
     *             request. So pages and directories that are listed separately are together at most one more than the requested directories, whatever the keys.
     * First page  Starts at the first directory; threads that ask meanwhile wait for it. It shows how many directories a page holds.
     * Next pages  Start at or shortly before a requested directory that no page in flight is expected to hold. A thread whose directory is expected on such a
     *             page meanwhile fetches the page from the next directory that none is expected to hold: if pages hold few directories, fetching one page at a
     *             time would be slower than a request for each directory.
     * End         A page that fails ends the fetching, and so do pages that answer hardly any directories: further directories are listed separately.
     * Memory      Of each page, only the objects of directories that are not yet returned. At MOST_OBJECTS of them, with PAGE_OBJECTS for each page in flight,
     *             no further page is fetched.
     */
    private static final int PAGE_OBJECTS = 1_000;
    private static final int MOST_OBJECTS = 16 * PAGE_OBJECTS;
    private static final int MOST_ROUNDS = 3;
    private static final int LEAST_GAIN = 2;
    private static final long MOST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final List<String> directories;
    private final long mostWaitNanos;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition landed = lock.newCondition();

    // all guarded by the lock
    private final BitSet claimed = new BitSet();
    private final BitSet asked = new BitSet();
    private final BitSet closed = new BitSet(); // returned, or to be listed separately
    private final List<@Nullable List<S3ObjectSummary>> answers;
    private final List<PageInFlight> flights = new ArrayList<>();
    private int credits = 1;
    private int heldObjects;
    private int gain; // recent average of directories that lie entirely on a page; 0 before the first page
    private int density; // directories between the ends of the latest truncated page; 0 if unknown
    private boolean ended;

    /** A page in flight, and the directories that it is expected to hold, {@code to} exclusive. */
    private record PageInFlight(int from, int to)
    {
        boolean expects(int directory)
        {
            return from <= directory && directory < to;
        }
    }

    /** Creates the plan of a scan that may list these directories, each a key that ends in a slash. */
    PrefixScan(Collection<String> directories)
    {
        this(directories, MOST_WAIT_NANOS);
    }

    PrefixScan(Collection<String> directories, long mostWaitNanos)
    {
        this.mostWaitNanos = mostWaitNanos;
        this.directories = directories.stream().distinct().sorted(KeyPage::compareKeys).toList();
        answers = new ArrayList<>(Collections.nCopies(this.directories.size(), null));
    }

    /** Returns whether the directory belongs to this scan and was not claimed before. A caller that gets true may request its objects, once. */
    boolean claim(String directory)
    {
        int index = Collections.binarySearch(directories, directory, KeyPage::compareKeys);
        lock.lock();
        try {
            boolean free = index >= 0 && !claimed.get(index);
            if (free) {
                claimed.set(index);
            }
            return free;
        }
        finally {
            lock.unlock();
        }
    }

    /**
     * Returns all objects under a claimed directory; empty if they are not known and the caller must list it.
     *
     * @param source fetches pages of a prefix that all directories are under
     */
    Optional<List<S3ObjectSummary>> objectsUnder(String directory, PageSource source)
    {
        int index = Collections.binarySearch(directories, directory, KeyPage::compareKeys);
        lock.lock();
        try {
            asked.set(index);
            if (answers.get(index) != null) {
                credits++;
            }
            for (int round = 0; round < MOST_ROUNDS && isOpenLocked(index); round++) {
                Optional<PageInFlight> expected = flights.stream().filter(flight -> flight.expects(index)).findFirst();
                OptionalInt start = startLocked(index, expected.isPresent(), round);
                if (start.isPresent()) {
                    fetchLocked(start.getAsInt(), source);
                }
                else if (expected.isEmpty() || !awaitLocked(expected.get(), index)) {
                    break;
                }
            }
            return takeLocked(index);
        }
        finally {
            lock.unlock();
        }
    }

    /** Whether no further page may be fetched, because so many objects are held for directories that are not yet listed. */
    boolean isFull()
    {
        lock.lock();
        try {
            return !ended && isFullLocked();
        }
        finally {
            lock.unlock();
        }
    }

    private boolean isFullLocked()
    {
        return heldObjects + flights.size() * PAGE_OBJECTS >= MOST_OBJECTS;
    }

    private boolean isOpenLocked(int index)
    {
        return answers.get(index) == null && !closed.get(index);
    }

    /* Returns the directory from which this thread fetches a page, if it may. */
    private OptionalInt startLocked(int index, boolean expected, int round)
    {
        if (ended || credits == 0 || isFullLocked()) {
            return OptionalInt.empty();
        }
        if (gain == 0) {
            return expected ? OptionalInt.empty() : OptionalInt.of(0);
        }
        if (!expected) {
            // directories just before it will be requested soon, if they were not already
            int start = index;
            while (round == 0 && start > 0 && index - start < density / 2 && isOpenLocked(start - 1) && !isExpectedLocked(start - 1)) {
                start--;
            }
            return OptionalInt.of(start);
        }
        for (int next = index + 1; next < directories.size() && density > 0; next++) {
            if (isOpenLocked(next) && !isExpectedLocked(next)) {
                return OptionalInt.of(next);
            }
        }
        return OptionalInt.empty();
    }

    private boolean isExpectedLocked(int index)
    {
        return flights.stream().anyMatch(flight -> flight.expects(index));
    }

    /* Releases the lock during the fetch. */
    private void fetchLocked(int start, PageSource source)
    {
        credits--;
        PageInFlight flight = new PageInFlight(start, gain == 0 ? directories.size() : start + Math.max(1, density));
        flights.add(flight);
        Optional<KeyPage> page = Optional.empty();
        lock.unlock();
        try {
            page = source.fetch(directories.get(start));
        }
        finally {
            lock.lock();
            flights.remove(flight);
            page.ifPresentOrElse(found -> landLocked(start, found), () -> ended = true);
            landed.signalAll();
        }
    }

    private void landLocked(int start, KeyPage page)
    {
        int index = start;
        for (; index < directories.size() && page.endsAfter(directories.get(index)); index++) {
            if (isOpenLocked(index)) {
                answerLocked(index, page.under(directories.get(index)));
            }
        }
        if (page.truncated()) {
            density = Math.max(1, index - start);
            if (index == start) {
                closed.set(start); // does not fit on a page
            }
        }
        // includes directories that another page answered at the same time: chance overlap shows nothing about the keys
        gain = Math.max(1, gain == 0 ? index - start : (gain + index - start) / 2);
        ended |= gain < LEAST_GAIN;
    }

    private void answerLocked(int index, List<S3ObjectSummary> objects)
    {
        if (objects.stream().anyMatch(object -> object.getKey().contains("//"))) {
            closed.set(index); // Hadoop paths cannot represent these names
            return;
        }
        answers.set(index, objects);
        heldObjects += objects.size();
        if (asked.get(index)) {
            credits++;
        }
    }

    private boolean awaitLocked(PageInFlight flight, int index)
    {
        long nanos = mostWaitNanos;
        try {
            while (flights.contains(flight) && isOpenLocked(index)) {
                nanos = landed.awaitNanos(nanos);
                if (nanos <= 0) {
                    flights.remove(flight); // so that no other thread waits for it
                    return false;
                }
            }
            return true;
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private Optional<List<S3ObjectSummary>> takeLocked(int index)
    {
        closed.set(index);
        List<S3ObjectSummary> objects = answers.set(index, null);
        if (objects != null) {
            heldObjects -= objects.size();
        }
        return Optional.ofNullable(objects);
    }
}
