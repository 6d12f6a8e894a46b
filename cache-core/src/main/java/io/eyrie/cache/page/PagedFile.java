// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.page;

import io.eyrie.cache.admission.Admission;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.log.LimitedLog;
import io.eyrie.cache.store.PageKey;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.ReadOutcome;
import io.eyrie.cache.store.StorageClass;

import java.io.EOFException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

import static java.util.Objects.requireNonNull;

/** A file read through pages. This class serves hits; a read that lacks something continues as a {@link PagedRead}. */
final class PagedFile
        implements CachedFile
{
    /*
     * Hit         takes no lock, writes no memory shared with other readers except striped counters, allocates two small objects per read and one per page
     * Stream      Misses of equal length, less than a page, each of which begins where the last fetch ended. From the third on, the read-ahead is as long
     *             as the stream so far. Column readers request varying lengths and get no read-ahead. A stream longer than one fetch has further
     *             fetches in flight while it waits for one, which makes it as fast as several connections. Bytes that may not be cached are read
     *             ahead in the same way, but by the reader itself and into memory of the file.
     */
    private static final int STREAM_MISSES = 3;
    private static final LimitedLog admissionLog = new LimitedLog(PagedFile.class, Level.WARNING);

    private final ReadThroughPageCache cache;
    private final FileVersion version;
    private final PageKey firstKey;
    private final SourceHandle source;
    private final AheadBuffer ahead;
    private final ReadContext context;
    private final PageTags tags;
    private final int pageSizeBytes;
    private volatile Stream stream = new Stream(0, -1, 0, 0);

    /** The consecutive misses up to the last one. An estimate: concurrent readers overwrite each other's updates. */
    private record Stream(long start, long fetchedEnd, int readLength, int misses)
    {}

    PagedFile(ReadThroughPageCache cache, FileVersion version, RangeSource source, ReadContext context)
    {
        this.cache = cache;
        this.version = requireNonNull(version, "version is null");
        this.source = new SourceHandle(requireNonNull(source, "source is null"));
        this.context = requireNonNull(context, "context is null");
        firstKey = PageKey.of(version, 0);
        tags = new PageTags(context.scope(), StorageClass.DATA);
        ahead = new AheadBuffer(cache.fetches(), this.source, epoch -> cache.store().isStale(firstKey, tags.scope(), epoch));
        pageSizeBytes = cache.config().pageSizeBytes();
    }

    @Override
    public FileVersion version()
    {
        return version;
    }

    @Override
    public int read(long position, byte[] buffer, int offset, int length)
            throws IOException
    {
        Objects.checkFromIndexSize(offset, length, buffer.length);
        return read(position, ByteBuffer.wrap(buffer, offset, length));
    }

    @Override
    public int read(long position, ByteBuffer buffer)
            throws IOException
    {
        if (position < 0) {
            throw new IllegalArgumentException("position is negative: " + position);
        }
        if (source.isClosed()) {
            throw closed();
        }
        if (!buffer.hasRemaining()) {
            return 0;
        }
        if (position >= version.lengthBytes()) {
            return -1;
        }
        int length = (int) Math.min(buffer.remaining(), version.lengthBytes() - position);
        read(position, buffer.slice(buffer.position(), length), length);
        buffer.position(buffer.position() + length);
        return length;
    }

    private void read(long position, ByteBuffer target, int length)
            throws IOException
    {
        if (!context.mode().serves()) {
            readMissing(new PagedRead(cache, this, position, target), 0, ReadOutcome.MISS, 0);
            return;
        }
        long startNanos = System.nanoTime();
        int done = 0;
        while (done < length) {
            long at = position + done;
            int offsetInPage = (int) (at % pageSizeBytes);
            int lengthInPage = Math.min(length - done, pageSizeBytes - offsetInPage);
            target.limit(done + lengthInPage);
            PageKey key = firstKey.page(at / pageSizeBytes);
            ReadOutcome outcome = cache.readStore(key, offsetInPage, target);
            if (outcome != ReadOutcome.HIT) {
                readMissing(new PagedRead(cache, this, position, target.clear()), done, outcome, System.nanoTime() - startNanos);
                return;
            }
            cache.counters().hit(lengthInPage);
            trace(key, offsetInPage, lengthInPage, outcome);
            done += lengthInPage;
        }
        context.listener().onCacheRead(pages(position, length), length, System.nanoTime() - startNanos);
    }

    /** The number of pages that a range touches. */
    int pages(long position, int length)
    {
        return length == 0 ? 0 : (int) ((position + length - 1) / pageSizeBytes - position / pageSizeBytes) + 1;
    }

    private void readMissing(PagedRead read, int servedBytes, ReadOutcome next, long nanos)
            throws IOException
    {
        if (!source.acquire()) {
            throw closed();
        }
        try {
            read.read(servedBytes, next, nanos);
        }
        finally {
            source.release();
        }
    }

    private IOException closed()
    {
        return new IOException("file is closed: " + version.path());
    }

    @Override
    public void readFully(long position, byte[] buffer, int offset, int length)
            throws IOException
    {
        Objects.checkFromIndexSize(offset, length, buffer.length);
        if (length > Math.max(0, version.lengthBytes() - position)) {
            throw new EOFException("range " + position + "+" + length + " goes past the end of " + version.path() + " at " + version.lengthBytes());
        }
        read(position, buffer, offset, length);
    }

    @Override
    public void prefetch(List<ByteRange> ranges)
    {
        // the admission check would be the first touch of a range, and its read the second
        if (context.mode() != CacheMode.READ_WRITE || cache.config().admission().secondTouchPages() > 0) {
            return;
        }
        List<MissingRange> missing = missing(ranges);
        if (missing.isEmpty() || !cache.fetches().hasIdleThreads() || !source.acquire()) {
            return;
        }
        try {
            List<Fetch> fetches = cache.fetches().plan(firstKey, inFlight -> {
                FetchPlan plan = new FetchPlan(cache, this, inFlight);
                plan.prefetch(missing);
                return plan;
            }).fetches();
            cache.fetches().start(fetches, source);
            for (Fetch fetch : fetches) {
                if (fetch.outcome() != Fetch.Outcome.ABANDONED) {
                    context.listener().onRemoteRead(fetch.lengthBytes(), 0);
                }
            }
        }
        finally {
            source.release();
        }
    }

    private List<MissingRange> missing(List<ByteRange> ranges)
    {
        Granules granules = cache.granules();
        List<MissingRange> missing = new ArrayList<>();
        for (ByteRange range : ranges.stream().sorted(Comparator.comparingLong(ByteRange::position)).toList()) {
            long end = Math.min(range.end(), version.lengthBytes());
            for (long at = range.position(); at < end;) {
                boolean present = granules.isPresent(firstKey, at);
                long rangeEnd = granules.rangeEnd(firstKey, at, Math.min(end, at - at % pageSizeBytes + pageSizeBytes), present);
                if (!present) {
                    PageKey key = firstKey.page(at / pageSizeBytes);
                    // on a disk that is out of service, nothing is present either
                    ReadOutcome outcome = cache.readStore(key, (int) (at % pageSizeBytes), ByteBuffer.allocate(1));
                    int length = (int) (rangeEnd - at);
                    missing.add(new MissingRange(new PageLookup(key, at, length, outcome), at, length));
                }
                at = rangeEnd;
            }
        }
        return missing;
    }

    @Override
    public void close()
    {
        source.close();
        ahead.drop();
    }

    void trace(PageKey key, int offsetInPage, int length, ReadOutcome outcome)
    {
        int pageLength = (int) Math.min(pageSizeBytes, version.lengthBytes() - key.pageNumber() * pageSizeBytes);
        cache.trace().onLookup(key, tags, pageLength, offsetInPage, length, outcome);
    }

    PageKey firstKey()
    {
        return firstKey;
    }

    PageTags tags()
    {
        return tags;
    }

    ReadContext context()
    {
        return context;
    }

    SourceHandle source()
    {
        return source;
    }

    AheadBuffer ahead()
    {
        return ahead;
    }

    /** Whether a range may be fetched for caching; counts a refusal. */
    Admission admit(long position, int bytes)
    {
        Admission admission;
        try {
            admission = cache.admission().admit(firstKey.page(position / pageSizeBytes), context.scope(), bytes, context.budget());
        }
        catch (RuntimeException e) {
            admissionLog.log("The admission rules failed. The data is cached", e);
            admission = Admission.ADMITTED;
        }
        if (admission != Admission.ADMITTED) {
            cache.counters().admissionRejections.increment();
        }
        return admission;
    }

    /** By how much fetches, or a direct read, that start at a position extend beyond a read of this length. */
    long readAheadBytes(long position, int readLength)
    {
        Stream last = stream;
        return follows(last, position, readLength) && last.misses + 1 >= STREAM_MISSES ? position - last.start : 0;
    }

    /** Whether reads of this length form a stream, longer than a fetch, up to a position within the fetched range or at its end. */
    boolean isLongStream(long position, int readLength)
    {
        Stream last = stream;
        return last.misses >= STREAM_MISSES && readLength == last.readLength && position <= last.fetchedEnd
                && position - last.start >= cache.fetchBytes();
    }

    /** The end of the last fetches, or of the last direct read, that reads caused. */
    long fetchedEnd()
    {
        return stream.fetchedEnd;
    }

    /** Records the fetches or the direct read that a read of this length caused. */
    void fetched(long position, int readLength, long end)
    {
        Stream last = stream;
        stream = follows(last, position, readLength)
                ? new Stream(last.start, end, readLength, last.misses + 1)
                : new Stream(position, end, readLength, 1);
    }

    private boolean follows(Stream last, long position, int readLength)
    {
        return position == last.fetchedEnd && readLength == last.readLength && readLength < pageSizeBytes;
    }
}
