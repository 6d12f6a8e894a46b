// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.page;

import io.eyrie.cache.admission.Admission;
import io.eyrie.cache.store.ReadOutcome;

import java.util.ArrayList;
import java.util.List;

/**
 * Assigns each missing range of a read to a source: a fetch in flight that covers it, the store if it has the range by now, a new fetch, or else a
 * read of the remote store for this reader only. Used by one thread, and under the lock of {@link Fetches} during planning.
 */
final class FetchPlan
{
    /*
     * A long read is cut into several fetches, each on its own connection, if threads are idle.
     * A new fetch extends over adjacent ranges, across pages too, and over stored gaps if they are small; never over one that another fetch covers.
     * At the end of the read it extends by the read-ahead, and ends where stored granules begin.
     * A read that reaches the beginning of a fetch, new or in flight, plans the next fetches of a long stream.
     */
    /** Number of fetches of a long stream that run ahead of the one being read. */
    private static final int FETCHES_AHEAD = 2;
    private final ReadThroughPageCache cache;
    private final PagedFile file;
    private final FileFetches inFlight;
    private final Granules granules;
    private final List<MissingRange> ranges = new ArrayList<>();
    private final List<Fetch> fetches = new ArrayList<>();
    // the missing ranges that the next fetch covers, and its start and end
    private final List<MissingRange> building = new ArrayList<>();
    private long buildingStart;
    private long buildingEnd;
    // the last fetch whose beginning the read reaches
    private long entered = -1;
    // the maximum length that one fetch covers of the read itself
    private int maxFetchBytes;
    private boolean awaited = true;
    // a fetch got no memory or was not admitted
    private boolean refused;

    FetchPlan(ReadThroughPageCache cache, PagedFile file, FileFetches inFlight)
    {
        this.cache = cache;
        this.file = file;
        this.inFlight = inFlight;
        granules = cache.granules();
    }

    void plan(List<MissingRange> missing, long readEnd, int readLength)
    {
        maxFetchBytes = cache.fetchBytes(granules.end(readEnd, fileBytes()) - granules.start(missing.get(0).position()));
        for (MissingRange range : missing) {
            long at = range.position();
            while (at < range.end()) {
                at = plan(range, at);
            }
        }
        if (!building.isEmpty() && buildingEnd == granules.end(readEnd, fileBytes())) {
            long first = fetches.isEmpty() ? buildingStart : fetches.get(0).position();
            readAhead(file.readAheadBytes(first, readLength));
        }
        build();
        // of a read in several fetches, the first marks where the stream continues
        long reached = fetches.isEmpty() ? entered : Math.min(entered, fetches.get(0).position());
        if (entered >= 0 && file.isLongStream(reached, readLength)) {
            prefetch();
        }
    }

    /** Plans fetches for which no reader waits yet, as many as the file may still have. */
    void prefetch(List<MissingRange> missing)
    {
        maxFetchBytes = cache.fetchBytes(missing.stream().mapToLong(MissingRange::length).sum());
        awaited = false;
        for (MissingRange range : missing) {
            for (long at = range.position(); at < range.end();) {
                if (refused || inFlight.running() + 1 >= cache.config().fetchesPerFile()) {
                    return;
                }
                at = plan(range, at);
            }
        }
        build();
    }

    /** All ranges in order, possibly more than before planning. */
    List<MissingRange> ranges()
    {
        return ranges;
    }

    /** The new fetches, to be started. */
    List<Fetch> fetches()
    {
        return fetches;
    }

    private long fileBytes()
    {
        return file.version().lengthBytes();
    }

    private long plan(MissingRange whole, long at)
    {
        Fetch other = inFlight.covering(at);
        if (other != null) {
            build();
            entered = other.position() == at ? at : entered;
            MissingRange range = add(whole, at, Math.min(whole.end(), other.end()));
            range.setFetch(other);
            return range.end();
        }
        long end = Math.min(whole.end(), inFlight.nextStart(at));
        ReadOutcome outcome = whole.lookup().outcome();
        if (outcome != ReadOutcome.MISS && outcome != ReadOutcome.CORRUPT) {
            // a device that failed or declined is not tried again
            build();
            return add(whole, at, end).end();
        }
        boolean stored = granules.isPresent(file.firstKey(), at);
        end = granules.rangeEnd(file.firstKey(), at, end, stored);
        if (stored) {
            MissingRange range = add(whole, at, end);
            range.setStored();
            return end;
        }
        if (file.context().mode() != CacheMode.READ_WRITE) {
            build();
            return add(whole, at, end).end();
        }
        return grow(whole, at, end);
    }

    private MissingRange add(MissingRange whole, long from, long to)
    {
        MissingRange range = whole.cut(from, to);
        ranges.add(range);
        return range;
    }

    private long grow(MissingRange whole, long at, long end)
    {
        long start = granules.start(at);
        if (!building.isEmpty() && (start - buildingEnd > cache.config().mergeGapBytes()
                || start >= buildingStart + maxFetchBytes
                || inFlight.nextStart(buildingEnd) < start)) {
            build();
        }
        if (building.isEmpty()) {
            buildingStart = start;
        }
        buildingEnd = Math.min(granules.end(end, fileBytes()), buildingStart + maxFetchBytes);
        MissingRange range = add(whole, at, Math.min(end, buildingEnd));
        building.add(range);
        if (buildingEnd == buildingStart + maxFetchBytes) {
            build();
        }
        return range.end();
    }

    private void readAhead(long bytes)
    {
        if (bytes == 0 || granules.isPresent(file.firstKey(), buildingEnd)) {
            return;
        }
        long most = Math.min(granules.end(buildingEnd + bytes, fileBytes()), buildingStart + cache.fetchBytes());
        buildingEnd = granules.rangeEnd(file.firstKey(), buildingEnd, Math.min(most, inFlight.nextStart(buildingEnd)), false);
    }

    /* No reader waits for these fetches yet, so they use only resources that others can spare. */
    private void prefetch()
    {
        long at = fetches.isEmpty() ? file.fetchedEnd() : fetches.get(fetches.size() - 1).end();
        long most = Math.min(fileBytes(), entered + FETCHES_AHEAD * (long) cache.fetchBytes() + 1);
        while (at >= entered && at < most && inFlight.running() < cache.config().fetchesPerFile()
                && inFlight.covering(at) == null && !granules.isPresent(file.firstKey(), at)) {
            long end = Math.min(granules.end(at + cache.fetchBytes(), fileBytes()), inFlight.nextStart(at));
            int length = (int) (granules.rangeEnd(file.firstKey(), at, end, false) - at);
            if (!cache.fetches().reserveSpare(length) || !isAdmitted(at, length)) {
                return;
            }
            add(at, length);
            at += length;
        }
    }

    private void build()
    {
        if (building.isEmpty()) {
            return;
        }
        int length = (int) (buildingEnd - buildingStart);
        if (inFlight.running() >= cache.config().fetchesPerFile()) {
            cache.counters().fileFetchRejections.increment();
            building.forEach(range -> range.lookup().setUnfetched());
        }
        else if (!(awaited ? cache.fetches().reserve(length) : cache.fetches().reserveSpare(length))) {
            refused = true;
            building.forEach(range -> range.lookup().setUnfetched());
        }
        else if (isAdmitted(buildingStart, length)) {
            Fetch fetch = add(buildingStart, length);
            building.forEach(range -> range.setFetch(fetch));
            entered = buildingStart;
        }
        else {
            refused = true;
        }
        building.clear();
    }

    private Fetch add(long start, int length)
    {
        Fetch fetch = new Fetch(file.firstKey(), fileBytes(), start, length, file.tags(), cache.store().epoch());
        inFlight.add(fetch);
        fetches.add(fetch);
        return fetch;
    }

    private boolean isAdmitted(long start, int reservedBytes)
    {
        Admission admission = file.admit(start, reservedBytes);
        if (admission != Admission.ADMITTED) {
            cache.fetches().giveBack(reservedBytes);
            building.forEach(range -> range.lookup().setRefused(admission));
        }
        return admission == Admission.ADMITTED;
    }
}
