// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.page;

import io.eyrie.cache.admission.Admission;
import io.eyrie.cache.store.PageKey;
import io.eyrie.cache.store.ReadOutcome;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One read of a range of a file of which the store lacks some granules. Used by one thread. */
final class PagedRead
{
    /*
     * A range is read in passes over as many pages as two fetches hold, each in four steps:
     *   look up   page by page in the store; of a page that lacks granules, those that are present
     *   plan      assign missing ranges to fetches in flight and new ones, and start the new ones
     *   collect   wait for the fetches and copy; for those of other reads only until the deadline, ignoring their failures
     *   read      read the rest directly, adjacent ranges at once; of a stream that is not cached, read ahead
     */
    private final ReadThroughPageCache cache;
    private final CacheCounters counters;
    private final PagedFile file;
    private final long position;
    private final ByteBuffer target;
    private final int pageSizeBytes;
    private int cachePages;
    private long cacheBytes;
    private long cacheNanos;

    /** @param target filled from index 0, for the byte at {@code position}, to its capacity */
    PagedRead(ReadThroughPageCache cache, PagedFile file, long position, ByteBuffer target)
    {
        this.cache = cache;
        this.file = file;
        this.position = position;
        this.target = target;
        counters = cache.counters();
        pageSizeBytes = cache.config().pageSizeBytes();
    }

    /**
     * Reads the rest of the range.
     *
     * @param servedBytes bytes already served from the cache, which took {@code nanos}
     * @param next the store's answer for the next page
     */
    void read(int servedBytes, ReadOutcome next, long nanos)
            throws IOException
    {
        long end = position + target.capacity();
        if (!file.context().mode().serves()) {
            if (file.context().mode() == CacheMode.DRY_RUN) {
                tellWhatWouldBeServed(position, end);
            }
            readDirect(position, end, null);
            return;
        }
        cachePages = file.pages(position, servedBytes);
        cacheBytes = servedBytes;
        cacheNanos = nanos;
        long passStart = position + servedBytes;
        ReadOutcome known = next;
        try {
            while (passStart < end) {
                long passEnd = Math.min(end, passStart - passStart % pageSizeBytes + Math.max(pageSizeBytes, 2L * cache.fetchBytes()));
                new Pass().read(passStart, passEnd, known);
                passStart = passEnd;
                known = null;
            }
        }
        finally {
            if (cacheBytes > 0) {
                file.context().listener().onCacheRead(cachePages, cacheBytes, cacheNanos);
            }
        }
    }

    private void tellWhatWouldBeServed(long start, long end)
    {
        Granules granules = cache.granules();
        for (long at = start; at < end;) {
            PageKey key = file.firstKey().page(at / pageSizeBytes);
            boolean present = granules.isPresent(file.firstKey(), at);
            long pageEnd = Math.min(end, at - at % pageSizeBytes + pageSizeBytes);
            long rangeEnd = granules.rangeEnd(file.firstKey(), at, pageEnd, present);
            MissCause absence = absence(key, (int) (at % pageSizeBytes), cache.writer().wasNotWritten(key));
            file.context().listener().onMiss(present ? MissCause.DRY_RUN : absence, rangeEnd - at);
            at = rangeEnd;
        }
    }

    /* Returns why the store does not have a page that it may have. */
    private MissCause absence(PageKey key, int offsetInPage, boolean notWritten)
    {
        return switch (cache.store().pastEviction(key, offsetInPage)) {
            case LATELY -> MissCause.EVICTED_LATELY;
            case EARLIER -> MissCause.EVICTED;
            case NONE -> notWritten ? MissCause.NOT_WRITTEN : MissCause.NEVER_KEPT;
        };
    }

    /**
     * Reads a range that is not cached. If it continues a stream, reads ahead.
     *
     * @param last the missing range that ends the range; null if the store was not asked
     */
    private void readDirect(long from, long to, @Nullable MissingRange last)
            throws IOException
    {
        long start = from + file.ahead().serve(from, target, (int) (from - position), (int) (to - from));
        if (start == to) {
            return;
        }
        file.ahead().drop();
        int needed = (int) (to - start);
        long ahead = file.readAheadBytes(start, target.capacity());
        int length = ahead == 0 ? needed : (int) (mostAhead(last, Math.min(to + ahead, start + cache.fetchBytes())) - start);
        // half a read-ahead is better than none
        while (length > needed && !cache.fetches().reserveSpare(length)) {
            length = Math.max(needed, length / 2);
        }
        if (length <= needed) {
            readRemote(start, needed);
            file.fetched(start, target.capacity(), to);
        }
        else if (readAhead(start, needed, length)) {
            file.fetched(start, target.capacity(), start + length);
        }
        else {
            // not recorded, so that the next read does not try again
            readRemote(start, needed);
        }
    }

    /** How far to read ahead of a range, at most: not what the next reads will find in the store, or fetch for it. */
    private long mostAhead(@Nullable MissingRange range, long most)
    {
        long end = Math.min(most, file.version().lengthBytes());
        if (range == null || range.end() >= end) {
            return end;
        }
        PageLookup lookup = range.lookup();
        if (range.fetch() != null || range.isStored() || lookup.isUnfetched()) {
            return range.end();
        }
        if (lookup.outcome() != ReadOutcome.MISS) {
            // the store does not serve
            return end;
        }
        Granules granules = cache.granules();
        return granules.isPresent(file.firstKey(), range.end()) ? range.end() : granules.rangeEnd(file.firstKey(), range.end(), end, false);
    }

    /** Reads {@code length} bytes, for which memory is reserved, and keeps those beyond {@code needed}; returns false if that fails. */
    private boolean readAhead(long from, int needed, int length)
    {
        boolean kept = false;
        try {
            byte[] bytes = new byte[length];
            long epoch = cache.store().epoch();
            readRemote(from, bytes, 0, length);
            target.put((int) (from - position), bytes, 0, needed);
            file.ahead().keep(from, ByteBuffer.wrap(bytes), epoch);
            kept = true;
        }
        catch (IOException | OutOfMemoryError e) {
            // what is needed may be readable, and needs no memory
        }
        finally {
            if (!kept) {
                cache.fetches().giveBack(length);
            }
        }
        return kept;
    }

    private void readRemote(long from, int length)
            throws IOException
    {
        int index = (int) (from - position);
        if (target.hasArray()) {
            readRemote(from, target.array(), target.arrayOffset() + index, length);
        }
        else {
            byte[] copy = new byte[length];
            readRemote(from, copy, 0, length);
            target.put(index, copy);
        }
    }

    private void readRemote(long from, byte[] bytes, int offset, int length)
            throws IOException
    {
        long start = System.nanoTime();
        boolean read = false;
        counters.remoteRead(length);
        try {
            file.source().get().readFully(from, bytes, offset, length);
            read = true;
        }
        finally {
            if (!read) {
                counters.remoteReadFailures.increment();
            }
            file.context().listener().onRemoteRead(length, System.nanoTime() - start);
        }
    }

    private ReadOutcome readStore(long from, int length)
    {
        int index = (int) (from - position);
        target.limit(index + length).position(index);
        ReadOutcome outcome = cache.readStore(file.firstKey().page(from / pageSizeBytes), (int) (from % pageSizeBytes), target);
        target.clear();
        return outcome;
    }

    private void copy(MissingRange range, Fetch fetch)
    {
        ByteBuffer bytes = fetch.bytes(range.position(), range.length());
        target.put((int) (range.position() - position), bytes, bytes.position(), range.length());
        range.setDone();
    }

    private void served(long bytes, long sinceNanos)
    {
        cacheBytes += bytes;
        cacheNanos += System.nanoTime() - sinceNanos;
    }

    private void served(PageLookup lookup, int bytes, long sinceNanos)
    {
        lookup.served(bytes);
        served(bytes, sinceNanos);
    }

    /** A fetch that this read caused. */
    private static final class OwnFetch
    {
        private final Fetch fetch;
        private final long startNanos = System.nanoTime();
        private boolean reported;

        OwnFetch(Fetch fetch)
        {
            this.fetch = fetch;
        }
    }

    private final class Pass
    {
        private final List<PageLookup> lookups = new ArrayList<>();
        private final List<MissingRange> missing = new ArrayList<>();
        private final List<OwnFetch> ownFetches = new ArrayList<>();

        void read(long start, long end, @Nullable ReadOutcome first)
                throws IOException
        {
            lookUp(start, end, first);
            if (missing.isEmpty()) {
                lookups.forEach(this::conclude);
                return;
            }
            List<MissingRange> ranges = List.of();
            try {
                ranges = plan(end);
                serve(ranges);
                collect(ranges);
            }
            finally {
                ownFetches.forEach(this::report);
                lookups.forEach(this::reportMiss);
            }
            readRest(ranges);
        }

        private void lookUp(long start, long end, @Nullable ReadOutcome first)
        {
            ReadOutcome known = first;
            for (long at = start; at < end;) {
                int length = (int) Math.min(end - at, pageSizeBytes - at % pageSizeBytes);
                long startNanos = System.nanoTime();
                ReadOutcome outcome = known == null ? readStore(at, length) : known;
                known = null;
                PageKey key = file.firstKey().page(at / pageSizeBytes);
                PageLookup lookup = new PageLookup(key, at, length, outcome);
                if (outcome == ReadOutcome.HIT) {
                    served(length, startNanos);
                    counters.outcomes.hitBytes(length);
                    conclude(lookup);
                }
                else {
                    lookups.add(lookup);
                    // before this read fetches and writes the page
                    lookup.setNotWritten(cache.writer().wasNotWritten(key));
                    readPresent(lookup);
                }
                at += length;
            }
        }

        /** Reads the granules of a page that are present; adds the others to the missing ranges. */
        private void readPresent(PageLookup lookup)
        {
            if (lookup.outcome() != ReadOutcome.MISS) {
                missing.add(new MissingRange(lookup, lookup.position(), lookup.length()));
                return;
            }
            Granules granules = cache.granules();
            for (long at = lookup.position(); at < lookup.end();) {
                long startNanos = System.nanoTime();
                boolean present = granules.isPresent(file.firstKey(), at);
                long end = granules.rangeEnd(file.firstKey(), at, lookup.end(), present);
                int length = (int) (end - at);
                if (present && length < lookup.length() && readStore(at, length) == ReadOutcome.HIT) {
                    served(lookup, length, startNanos);
                    counters.outcomes.hitBytes(length);
                }
                else {
                    missing.add(new MissingRange(lookup, at, length));
                }
                at = end;
            }
        }

        private List<MissingRange> plan(long end)
        {
            int readLength = target.capacity();
            FetchPlan plan = cache.fetches().plan(file.firstKey(), inFlight -> {
                FetchPlan planning = new FetchPlan(cache, file, inFlight);
                planning.plan(missing, end, readLength);
                return planning;
            });
            List<Fetch> planned = plan.fetches();
            planned.forEach(fetch -> ownFetches.add(new OwnFetch(fetch)));
            cache.fetches().start(planned, file.source());
            if (!planned.isEmpty()) {
                file.fetched(planned.get(0).position(), readLength, planned.get(planned.size() - 1).end());
            }
            return plan.ranges();
        }

        /** Copies the ranges that the store or memory has by now, and determines the outcome of each lookup. */
        private void serve(List<MissingRange> ranges)
        {
            for (MissingRange range : ranges) {
                long start = System.nanoTime();
                Fetch fetch = range.fetch();
                if (range.isStored()) {
                    if (readStore(range.position(), range.length()) == ReadOutcome.HIT) {
                        range.setDone();
                    }
                }
                else if (fetch != null && own(fetch) == null) {
                    if (fetch.outcome() == Fetch.Outcome.ARRIVED) {
                        copy(range, fetch);
                    }
                    else {
                        counters.coalescedWaits.increment();
                    }
                }
                if (fetch != null && fetch.outcome() == Fetch.Outcome.ABANDONED) {
                    range.lookup().setUnfetched();
                }
                if (range.isDone()) {
                    served(range.lookup(), range.length(), start);
                    counters.outcomes.hitBytes(range.length());
                }
                else {
                    range.lookup().setLacking();
                }
            }
            lookups.forEach(this::conclude);
        }

        private void conclude(PageLookup lookup)
        {
            ReadOutcome outcome = lookup.conclusion();
            counters.outcomes.lookedUp(outcome);
            file.trace(lookup.key(), (int) (lookup.position() % pageSizeBytes), lookup.length(), outcome);
            if (outcome == ReadOutcome.HIT) {
                cachePages++;
            }
            else {
                // before this read fetches and writes the page
                lookup.setCause(cause(lookup, outcome));
            }
        }

        /* After the other readers' fetches that serve a part of the page. */
        private void reportMiss(PageLookup lookup)
        {
            MissCause cause = lookup.cause();
            if (cause != null) {
                file.context().listener().onMiss(cause, lookup.length() - lookup.servedBytes());
            }
        }

        private MissCause cause(PageLookup lookup, ReadOutcome outcome)
        {
            return switch (outcome) {
                case DECLINED -> MissCause.OUT_OF_SERVICE;
                case BUSY -> MissCause.BUSY;
                case CORRUPT -> MissCause.CORRUPT;
                case DEVICE_ERROR -> MissCause.DISK_ERROR;
                case HIT, MISS -> missCause(lookup);
            };
        }

        private MissCause missCause(PageLookup lookup)
        {
            if (file.context().mode() == CacheMode.READ_ONLY) {
                return MissCause.NOT_KEPT_HERE;
            }
            if (lookup.admission() != Admission.ADMITTED) {
                return MissCause.of(lookup.admission());
            }
            return lookup.isUnfetched()
                    ? MissCause.FETCH_BUSY
                    : absence(lookup.key(), (int) (lookup.position() % pageSizeBytes), lookup.wasNotWritten());
        }

        private void collect(List<MissingRange> ranges)
                throws IOException
        {
            long deadline = cache.threads().nanoTime() + TimeUnit.MILLISECONDS.toNanos(cache.config().fetchWaitMillis());
            for (MissingRange range : ranges) {
                Fetch fetch = range.fetch();
                if (fetch != null && !range.isDone()) {
                    collect(range, fetch, own(fetch), deadline);
                }
            }
        }

        private void collect(MissingRange range, Fetch fetch, @Nullable OwnFetch own, long deadline)
                throws IOException
        {
            long start = System.nanoTime();
            try {
                if (own != null) {
                    boolean unused = fetch.await(cache.threads(), Long.MAX_VALUE);
                    report(own);
                }
                else if (fetch.outcome() == null && !fetch.await(cache.threads(), deadline - cache.threads().nanoTime())) {
                    counters.fetchWaitTimeouts.increment();
                    return;
                }
            }
            catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                InterruptedIOException interrupted = new InterruptedIOException("interrupted while waiting for " + file.version().path());
                interrupted.initCause(e);
                throw interrupted;
            }
            Fetch.Outcome outcome = fetch.outcome();
            // a fetch that also reads ahead may have failed beyond this range
            if (outcome == Fetch.Outcome.FAILED && own != null && fetch.end() <= cache.granules().end(range.end(), fetch.fileBytes())) {
                fetch.rethrow();
            }
            if (outcome == Fetch.Outcome.ARRIVED) {
                copy(range, fetch);
                if (own == null) {
                    served(range.lookup(), range.length(), start);
                }
            }
        }

        private @Nullable OwnFetch own(Fetch fetch)
        {
            for (OwnFetch own : ownFetches) {
                if (own.fetch == fetch) {
                    return own;
                }
            }
            return null;
        }

        private void report(OwnFetch own)
        {
            // a fetch that never ran sent no request to the remote store
            if (!own.reported && own.fetch.outcome() != Fetch.Outcome.ABANDONED) {
                own.reported = true;
                file.context().listener().onRemoteRead(own.fetch.lengthBytes(), System.nanoTime() - own.startNanos);
            }
        }

        private void readRest(List<MissingRange> ranges)
                throws IOException
        {
            int next = 0;
            while (next < ranges.size()) {
                MissingRange first = ranges.get(next);
                MissingRange last = first;
                long end = first.position();
                while (next < ranges.size() && !ranges.get(next).isDone() && ranges.get(next).position() == end) {
                    last = ranges.get(next);
                    end = last.end();
                    next++;
                }
                if (end > first.position()) {
                    readDirect(first.position(), end, last);
                }
                else {
                    next++;
                }
            }
        }
    }
}
