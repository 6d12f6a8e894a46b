package io.eyrie.cache.page;

import io.eyrie.cache.admission.Admission;

import java.util.ArrayList;
import java.util.List;

/**
 * Says where each part comes from that a read lacks: from a fetch that brings it already, from the store, which has it by now, from a new
 * fetch, or else from the remote store, for this reader alone. Used by one thread, and under the lock of {@link Fetches} while
 * it plans.
 */
final class FetchPlan
{
    /*
     * A long read is cut into several fetches, each with a connection of its own, if threads are idle.
     * A new fetch grows over neighbouring parts, also over pages, and over gaps that the store has, if they are small; over nothing
     * that another fetch brings. At the end of the read it goes on as far as is to be read ahead, and ends at what is there.
     * A read that comes to the beginning of a fetch, new or in flight, plans what a long stream will come to after it.
     */
    /** So many fetches of a long stream run ahead of the one that it reads. */
    private static final int FETCHES_AHEAD = 2;
    private final ReadThroughPageCache cache;
    private final PagedFile file;
    private final FileFetches inFlight;
    private final Granules granules;
    private final List<Part> parts = new ArrayList<>();
    private final List<Fetch> fetches = new ArrayList<>();
    // the parts that the next fetch brings, and its range
    private final List<Part> building = new ArrayList<>();
    private long buildingStart;
    private long buildingEnd;
    // the last fetch that the read comes to the beginning of
    private long entered = -1;
    // the most that a fetch brings of the read itself
    private int partBytes;
    private boolean awaited = true;
    // a fetch got no memory, or may not be kept
    private boolean refused;

    FetchPlan(ReadThroughPageCache cache, PagedFile file, FileFetches inFlight)
    {
        this.cache = cache;
        this.file = file;
        this.inFlight = inFlight;
        granules = cache.granules();
    }

    void plan(List<Part> missing, long readEnd, int readLength)
    {
        partBytes = cache.partBytes(granules.end(readEnd, fileBytes()) - granules.start(missing.get(0).position()));
        for (Part part : missing) {
            long at = part.position();
            while (at < part.end()) {
                at = plan(part, at);
            }
        }
        if (!building.isEmpty() && buildingEnd == granules.end(readEnd, fileBytes())) {
            long first = fetches.isEmpty() ? buildingStart : fetches.get(0).position();
            readAhead(file.readAheadBytes(first, readLength));
        }
        build();
        // of a read that comes in parts, the first is where the stream goes on
        long reached = fetches.isEmpty() ? entered : Math.min(entered, fetches.get(0).position());
        if (entered >= 0 && file.isLongStream(reached, readLength)) {
            prefetch();
        }
    }

    /** Plans fetches of what nobody waits for yet, as many as the file may have. */
    void prefetch(List<Part> missing)
    {
        partBytes = cache.partBytes(missing.stream().mapToLong(Part::length).sum());
        awaited = false;
        for (Part part : missing) {
            for (long at = part.position(); at < part.end();) {
                if (refused || inFlight.running() + 1 >= cache.config().fetchesPerFile()) {
                    return;
                }
                at = plan(part, at);
            }
        }
        build();
    }

    /** All parts in order, maybe more than there were. */
    List<Part> parts()
    {
        return parts;
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

    private long plan(Part whole, long at)
    {
        Fetch other = inFlight.covering(at);
        if (other != null) {
            build();
            entered = other.position() == at ? at : entered;
            Part part = add(whole, at, Math.min(whole.end(), other.end()));
            part.setFetch(other);
            return part.end();
        }
        long end = Math.min(whole.end(), inFlight.nextStart(at));
        ReadOutcome outcome = whole.lookup().outcome();
        if (outcome != ReadOutcome.MISS && outcome != ReadOutcome.CORRUPT) {
            // a device that fails or declines is not asked again
            build();
            return add(whole, at, end).end();
        }
        boolean stored = granules.isPresent(file.firstKey(), at);
        end = granules.runEnd(file.firstKey(), at, end, stored);
        if (stored) {
            Part part = add(whole, at, end);
            part.setStored();
            return end;
        }
        if (file.context().mode() != CacheMode.READ_WRITE) {
            build();
            return add(whole, at, end).end();
        }
        return grow(whole, at, end);
    }

    private Part add(Part whole, long from, long to)
    {
        Part part = whole.cut(from, to);
        parts.add(part);
        return part;
    }

    private long grow(Part whole, long at, long end)
    {
        long start = granules.start(at);
        if (!building.isEmpty() && (start - buildingEnd > cache.config().mergeGapBytes()
                || start >= buildingStart + partBytes
                || inFlight.nextStart(buildingEnd) < start)) {
            build();
        }
        if (building.isEmpty()) {
            buildingStart = start;
        }
        buildingEnd = Math.min(granules.end(end, fileBytes()), buildingStart + partBytes);
        Part part = add(whole, at, Math.min(end, buildingEnd));
        building.add(part);
        if (buildingEnd == buildingStart + partBytes) {
            build();
        }
        return part.end();
    }

    private void readAhead(long bytes)
    {
        if (bytes == 0 || granules.isPresent(file.firstKey(), buildingEnd)) {
            return;
        }
        long most = Math.min(granules.end(buildingEnd + bytes, fileBytes()), buildingStart + cache.fetchBytes());
        buildingEnd = granules.runEnd(file.firstKey(), buildingEnd, Math.min(most, inFlight.nextStart(buildingEnd)), false);
    }

    /* Nobody waits for it yet, so that it takes nothing that others may want. */
    private void prefetch()
    {
        long at = fetches.isEmpty() ? file.fetchedEnd() : fetches.get(fetches.size() - 1).end();
        long most = Math.min(fileBytes(), entered + FETCHES_AHEAD * (long) cache.fetchBytes() + 1);
        while (at >= entered && at < most && inFlight.running() < cache.config().fetchesPerFile()
                && inFlight.covering(at) == null && !granules.isPresent(file.firstKey(), at)) {
            long end = Math.min(granules.end(at + cache.fetchBytes(), fileBytes()), inFlight.nextStart(at));
            int length = (int) (granules.runEnd(file.firstKey(), at, end, false) - at);
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
            cache.counters().fileFetchRejection();
        }
        else if ((awaited ? cache.fetches().reserve(length) : cache.fetches().reserveSpare(length)) && isAdmitted(buildingStart, length)) {
            Fetch fetch = add(buildingStart, length);
            building.forEach(part -> part.setFetch(fetch));
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
            building.forEach(part -> part.lookup().setRefused(admission));
        }
        return admission == Admission.ADMITTED;
    }
}
