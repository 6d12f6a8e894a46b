package io.eyrie.cache.page;

import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.log.LimitedLog;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One read of a range of a file. Used by one thread. */
final class PagedRead
{
    /*
     * A range is read in windows of as many pages as two fetches hold, each in three steps:
     *   look up   page by page: from memory or disk, joined to another's fetch, or claimed. Neighbouring claims form a fetch,
     *             started as soon as it cannot grow; one at the end of the range goes on as far as is read ahead.
     *   collect   wait for the fetches and copy; for others' no longer than the deadline
     *   read      what is left by itself, neighbours in one range
     */
    private static final LimitedLog storeLog = new LimitedLog(PagedRead.class, Level.WARNING);

    private final ReadThroughPageCache cache;
    private final CacheCounters counters;
    private final Fetches fetches;
    private final FileVersion version;
    private final PageKey firstKey;
    private final SourceHandle source;
    private final ReadContext context;
    private final int pageSizeBytes;
    private final int fetchPages;
    private final int readAheadPages;
    private long cacheBytes;
    private long cacheNanos;

    PagedRead(ReadThroughPageCache cache, FileVersion version, PageKey firstKey, SourceHandle source, ReadContext context, int readAheadPages)
    {
        this.cache = cache;
        this.version = version;
        this.firstKey = firstKey;
        this.source = source;
        this.context = context;
        this.readAheadPages = readAheadPages;
        counters = cache.counters();
        fetches = cache.fetches();
        pageSizeBytes = cache.config().pageSizeBytes();
        fetchPages = cache.config().fetchPages();
    }

    /** Fills the whole target, which starts at 0. */
    void read(long position, ByteBuffer target)
            throws IOException
    {
        if (context.mode() == CacheMode.BYPASS) {
            readRemote(position, target);
            return;
        }
        long end = position + target.remaining();
        long windowStart = position;
        try {
            while (windowStart < end) {
                long firstPage = windowStart / pageSizeBytes;
                long windowEnd = Math.min(end, (firstPage + 2L * fetchPages) * pageSizeBytes);
                new Window().read(windowStart, target.slice((int) (windowStart - position), (int) (windowEnd - windowStart)));
                windowStart = windowEnd;
            }
        }
        finally {
            if (cacheBytes > 0) {
                context.listener().onCacheRead(cacheBytes, cacheNanos);
            }
        }
    }

    private void readRemote(long position, ByteBuffer target)
            throws IOException
    {
        int length = target.remaining();
        long start = System.nanoTime();
        boolean read = false;
        counters.remoteRead(length);
        try {
            if (target.hasArray()) {
                source.get().readFully(position, target.array(), target.arrayOffset() + target.position(), length);
            }
            else {
                byte[] copy = new byte[length];
                source.get().readFully(position, copy, 0, length);
                target.put(copy);
            }
            read = true;
        }
        finally {
            if (!read) {
                counters.remoteReadFailure();
            }
            context.listener().onRemoteRead(length, System.nanoTime() - start);
        }
    }

    private void served(int bytes, long sinceNanos)
    {
        cacheBytes += bytes;
        cacheNanos += System.nanoTime() - sinceNanos;
    }

    /** The part of the range that lies in one page. */
    private static final class Piece
    {
        private final PageKey key;
        private final long position;
        private final int offsetInPage;
        private final ByteBuffer target;
        private @Nullable Fetch fetch;
        private boolean done;

        Piece(PageKey key, long position, int offsetInPage, ByteBuffer target)
        {
            this.key = key;
            this.position = position;
            this.offsetInPage = offsetInPage;
            this.target = target;
        }
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

    private final class Window
    {
        private final List<Piece> pieces = new ArrayList<>();
        private final List<OwnFetch> ownFetches = new ArrayList<>();
        private @Nullable Fetch building;

        void read(long position, ByteBuffer target)
                throws IOException
        {
            try {
                lookUp(position, target);
                collect();
            }
            finally {
                Fetch unfinished = building;
                if (unfinished != null) {
                    fetches.abandon(unfinished);
                }
                ownFetches.forEach(this::report);
            }
            readRest(position, target);
        }

        private void lookUp(long position, ByteBuffer target)
        {
            int done = 0;
            while (done < target.limit()) {
                long start = position + done;
                long page = start / pageSizeBytes;
                int offsetInPage = (int) (start % pageSizeBytes);
                int length = Math.min(target.limit() - done, pageSizeBytes - offsetInPage);
                Piece piece = new Piece(firstKey.page(page), start, offsetInPage, target.slice(done, length));
                pieces.add(piece);
                lookUp(piece);
                done += length;
            }
            readAhead((position + target.limit() - 1) / pageSizeBytes + 1);
            startBuilding();
        }

        private void readAhead(long firstPage)
        {
            for (long page = firstPage; page < firstPage + readAheadPages && page * pageSizeBytes < version.lengthBytes(); page++) {
                Fetch mine = building;
                if (mine == null || fetches.claim(firstKey.page(page), mine) != mine) {
                    return;
                }
                grow(mine);
            }
        }

        private void lookUp(Piece piece)
        {
            long start = System.nanoTime();
            counters.lookup();
            Fetch other = fetches.find(piece.key);
            ReadOutcome outcome = other == null ? readStore(piece) : ReadOutcome.MISS;
            if (other == null && worthFetching(outcome)) {
                Fetch mine = building == null ? newFetch(piece.key) : building;
                other = fetches.claim(piece.key, mine);
                if (other == null) {
                    // written since it was looked up
                    outcome = readStore(piece);
                    other = outcome == ReadOutcome.HIT ? null : fetches.claimAnyway(piece.key, mine);
                }
                if (other == mine) {
                    grow(mine);
                    piece.fetch = mine;
                    counters.lookedUp(outcome, 0);
                    return;
                }
            }
            if (other != null && other.outcome() == Fetch.Outcome.ARRIVED) {
                copy(piece, other);
                outcome = ReadOutcome.HIT;
            }
            counters.lookedUp(outcome, piece.target.limit());
            if (outcome == ReadOutcome.HIT) {
                piece.done = true;
                served(piece.target.limit(), start);
            }
            else if (other != null) {
                piece.fetch = other;
                counters.coalescedWait();
            }
            startBuilding();
        }

        /** Whether the whole page is to be fetched: not where the store would not keep it. */
        private boolean worthFetching(ReadOutcome outcome)
        {
            return context.mode() == CacheMode.READ_WRITE && (outcome == ReadOutcome.MISS || outcome == ReadOutcome.CORRUPT);
        }

        private ReadOutcome readStore(Piece piece)
        {
            try {
                return cache.store().read(piece.key, piece.offsetInPage, piece.target.duplicate());
            }
            catch (RuntimeException e) {
                storeLog.log("Reading a page failed", e);
                return ReadOutcome.DEVICE_ERROR;
            }
        }

        private Fetch newFetch(PageKey key)
        {
            return new Fetch(key, pageSizeBytes, version.lengthBytes(), new PageTags(context.scope(), StorageClass.DATA), cache.store().epoch());
        }

        private void grow(Fetch mine)
        {
            building = mine;
            mine.addPage();
            if (mine.pages() == fetchPages) {
                startBuilding();
            }
        }

        private void startBuilding()
        {
            Fetch complete = building;
            if (complete != null) {
                building = null;
                fetches.start(complete, source);
                if (complete.outcome() != Fetch.Outcome.ABANDONED) {
                    ownFetches.add(new OwnFetch(complete));
                }
            }
        }

        private void collect()
                throws IOException
        {
            long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(cache.config().fetchWaitMillis());
            for (Piece piece : pieces) {
                Fetch fetch = piece.fetch;
                if (fetch != null) {
                    OwnFetch own = own(fetch);
                    collect(piece, fetch, own, deadline);
                }
            }
        }

        private void collect(Piece piece, Fetch fetch, @Nullable OwnFetch own, long deadline)
                throws IOException
        {
            long start = System.nanoTime();
            try {
                if (own != null) {
                    fetch.await();
                    report(own);
                }
                else if (fetch.outcome() == null && !fetch.await(deadline - start)) {
                    counters.fetchWaitTimeout();
                    return;
                }
            }
            catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                InterruptedIOException interrupted = new InterruptedIOException("interrupted while waiting for " + version.path());
                interrupted.initCause(e);
                throw interrupted;
            }
            Fetch.Outcome outcome = fetch.outcome();
            if (outcome == Fetch.Outcome.FAILED) {
                fetch.rethrow();
            }
            if (outcome == Fetch.Outcome.ARRIVED) {
                copy(piece, fetch);
                piece.done = true;
                if (own == null) {
                    served(piece.target.limit(), start);
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
            if (!own.reported) {
                own.reported = true;
                context.listener().onRemoteRead(own.fetch.lengthBytes(), System.nanoTime() - own.startNanos);
            }
        }

        private void readRest(long position, ByteBuffer target)
                throws IOException
        {
            int next = 0;
            while (next < pieces.size()) {
                int first = next;
                int length = 0;
                while (next < pieces.size() && !pieces.get(next).done) {
                    length += pieces.get(next).target.limit();
                    next++;
                }
                if (length > 0) {
                    long start = pieces.get(first).position;
                    readRemote(start, target.slice((int) (start - position), length));
                }
                else {
                    next++;
                }
            }
        }

        private void copy(Piece piece, Fetch fetch)
        {
            piece.target.duplicate().put(fetch.page(piece.key, piece.offsetInPage, piece.target.limit()));
        }
    }
}
