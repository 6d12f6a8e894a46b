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
 * Finds the objects of the directories that one scan will list, many by one page of keys. Each directory is given once; one that no page answers is to be listed by itself.
 *
 * <p>Thread-safe. A page is fetched by a thread that lacks an answer, outside of the lock; other threads wait for it a bounded time.
 */
final class PrefixScan
{
    /*
     * Requests    A page takes a credit. There is one to begin with, and each directory that was asked for and is on a page gives one: it needs no request of its own.
     *             So pages and directories listed by themselves are together at most one more than the directories asked for, whatever the shape.
     * First page  From the first directory on; who asks meanwhile waits for it. It tells how many directories are on a page.
     * Next pages  From a directory that was asked for and that no page under way is expected to hold. A thread whose directory is expected on one fetches the
     *             page behind all of them in the meantime: with pages of few directories one at a time would be slower than a request for each directory.
     * End         A page that could not be had ends it, and pages that bring hardly any directory: what is asked for then is to be listed by itself.
     * Memory      Of a page the objects of directories that are still to be given; no page is fetched beyond MOST_OBJECTS of them.
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

    // all under the lock
    private final BitSet claimed = new BitSet();
    private final BitSet asked = new BitSet();
    private final BitSet closed = new BitSet(); // given, or to be listed by themselves
    private final List<@Nullable List<S3ObjectSummary>> answers;
    private final List<Flight> flights = new ArrayList<>();
    private int credits = 1;
    private int heldObjects;
    private int gain; // directories that lie whole on a page, lately; 0 before the first
    private int density; // directories between the ends of a page, lately; 0 if unknown
    private boolean ended;

    /** A page under way, and the directories that it is expected to hold, {@code to} exclusive. */
    private record Flight(int from, int to)
    {
        boolean expects(int directory)
        {
            return from <= directory && directory < to;
        }
    }

    /** Of a scan that may list these directories, each a key that ends in a slash. */
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

    /** Whether the directory is of this scan and was not claimed before: who gets true may ask for it, once. */
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
     * All objects under a directory that was claimed. Empty if they are not known: the caller is to list it.
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
                Optional<Flight> expected = flights.stream().filter(flight -> flight.expects(index)).findFirst();
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

    private boolean isOpenLocked(int index)
    {
        return answers.get(index) == null && !closed.get(index);
    }

    /* Where this thread fetches a page, if it may. */
    private OptionalInt startLocked(int index, boolean expected, int round)
    {
        if (ended || credits == 0 || heldObjects + flights.size() * PAGE_OBJECTS >= MOST_OBJECTS) {
            return OptionalInt.empty();
        }
        if (gain == 0) {
            return expected ? OptionalInt.empty() : OptionalInt.of(0);
        }
        if (!expected) {
            // those just before it are about to be asked for, if they were not
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

    /* Lets go of the lock while it fetches. */
    private void fetchLocked(int start, PageSource source)
    {
        credits--;
        Flight flight = new Flight(start, gain == 0 ? directories.size() : start + Math.max(1, density));
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
                closed.set(start); // fills more than a page
            }
        }
        // those that another page brought at the same time count, too: what overlaps by chance says nothing of the keys
        gain = Math.max(1, gain == 0 ? index - start : (gain + index - start) / 2);
        ended |= gain < LEAST_GAIN;
    }

    private void answerLocked(int index, List<S3ObjectSummary> objects)
    {
        if (objects.stream().anyMatch(object -> object.getKey().contains("//"))) {
            closed.set(index); // names that paths do not have
            return;
        }
        answers.set(index, objects);
        heldObjects += objects.size();
        if (asked.get(index)) {
            credits++;
        }
    }

    private boolean awaitLocked(Flight flight, int index)
    {
        long nanos = mostWaitNanos;
        try {
            while (flights.contains(flight) && isOpenLocked(index)) {
                nanos = landed.awaitNanos(nanos);
                if (nanos <= 0) {
                    flights.remove(flight); // nobody else is to wait for it
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
