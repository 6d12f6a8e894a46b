// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.blob;

import io.eyrie.cache.admission.Admission;
import io.eyrie.cache.admission.AdmissionPolicy;
import io.eyrie.cache.admission.WriteBudget;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.log.LimitedLog;
import io.eyrie.cache.store.GranuleRange;
import io.eyrie.cache.store.OutcomeCounters;
import io.eyrie.cache.store.PageKey;
import io.eyrie.cache.store.PageStore;
import io.eyrie.cache.store.PageStore.WriteTerms;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.PageWriter;
import io.eyrie.cache.store.PastEviction;
import io.eyrie.cache.store.ReadOutcome;
import io.eyrie.cache.store.WriteOutcome;

import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

import static java.util.Objects.requireNonNull;

/** Stores blobs as pages of any {@link PageStore}. All blobs of a key are stored through one instance. */
public final class StoreBlobCache
        implements BlobCache
{
    /*
     * Pages       | header | blob ...  | ... | ... |      page 0, 1, ... of the blob's key; the last one is short
     * Header      magic, length, two checksums of the blob. The store verifies granules; the checksums verify that all belong to one blob.
     * Put         writes page 0 last, so that a header is present only after everything else
     * Get         drops an incomplete blob, so that no page of it mixes with the next blob of that key
     * Replace     Every write belongs to a generation of its key. A replacement begins the next one, which keeps the pages of earlier ones from being
     *             published from then on, and drops each page just before it writes it. So nothing has to be remembered after the writes have ended
     */
    static final int HEADER_BYTES = 16;
    private static final int MAGIC = 0x45594231; // EYB1
    private static final LimitedLog log = new LimitedLog(StoreBlobCache.class, Level.WARNING);

    private final PageStore store;
    private final PageWriter writer;
    private final int pageSizeBytes;
    private final int maxBlobBytes;
    private final AdmissionPolicy admission;
    private final OutcomeCounters counters = new OutcomeCounters();
    // of the keys that are being written, as many as the writer accepts
    private final ConcurrentHashMap<BlobKey, Generation> generations = new ConcurrentHashMap<>();

    /** Creates a blob cache that admits everything. */
    public StoreBlobCache(PageStore store, PageWriter writer, int pageSizeBytes, int maxBlobBytes)
    {
        this(store, writer, pageSizeBytes, maxBlobBytes, AdmissionPolicy.ALL);
    }

    /**
     * Creates a blob cache over a store and its writer, which it does not close.
     *
     * @param maxBlobBytes maximum length of a blob; longer ones are not cached
     * @param admission asked about each blob as a whole, without a query's budget; not about {@link Scope#RECORDS}
     */
    public StoreBlobCache(PageStore store, PageWriter writer, int pageSizeBytes, int maxBlobBytes, AdmissionPolicy admission)
    {
        if (maxBlobBytes < 0 || maxBlobBytes > Integer.MAX_VALUE - HEADER_BYTES - pageSizeBytes) {
            throw new IllegalArgumentException("maxBlobBytes is out of range: " + maxBlobBytes);
        }
        this.store = requireNonNull(store, "store is null");
        this.writer = requireNonNull(writer, "writer is null");
        this.pageSizeBytes = pageSizeBytes;
        this.maxBlobBytes = maxBlobBytes;
        this.admission = requireNonNull(admission, "admission is null");
    }

    @Override
    public Optional<byte[]> get(BlobKey key)
    {
        return start(key, Integer.MAX_VALUE);
    }

    @Override
    public Optional<byte[]> start(BlobKey key, int bytes)
    {
        LookupBytes found = new LookupBytes();
        ReadOutcome outcome = ReadOutcome.DEVICE_ERROR;
        try {
            outcome = read(key, bytes, found);
        }
        catch (RuntimeException | OutOfMemoryError e) {
            log.log("Reading a stored footer or result failed. It is read or computed again", e);
        }
        if (outcome != ReadOutcome.HIT || found.whole) {
            counters.lookedUp(outcome);
            counters.hitBytes(outcome == ReadOutcome.HIT ? found.blob.length : 0);
        }
        return outcome == ReadOutcome.HIT ? Optional.of(found.blob) : Optional.empty();
    }

    private ReadOutcome read(BlobKey key, int bytes, LookupBytes found)
    {
        ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
        ReadOutcome outcome = store.read(key.page(0), 0, header);
        if (outcome != ReadOutcome.HIT) {
            if (outcome == ReadOutcome.MISS && store.presentGranules(key.page(0), 0) != 0) {
                store.remove(key.page(0));
            }
            return outcome;
        }
        int length = header.getInt(4);
        if (header.getInt(0) != MAGIC || length < 0 || length > maxBlobBytes) {
            return drop(key, 0, ReadOutcome.CORRUPT);
        }
        found.whole = length <= bytes;
        byte[] blob = new byte[Math.min(length, bytes)];
        outcome = readBytes(key, blob);
        if (outcome == ReadOutcome.HIT && found.whole
                && (header.getInt(8) != checksum(new CRC32C(), blob) || header.getInt(12) != checksum(new CRC32(), blob))) {
            outcome = ReadOutcome.CORRUPT;
        }
        if (outcome == ReadOutcome.MISS || outcome == ReadOutcome.CORRUPT) {
            return drop(key, length, outcome);
        }
        found.blob = blob;
        return outcome;
    }

    private ReadOutcome readBytes(BlobKey key, byte[] blob)
    {
        int done = 0;
        while (done < blob.length) {
            int at = HEADER_BYTES + done;
            int offsetInPage = at % pageSizeBytes;
            int length = Math.min(blob.length - done, pageSizeBytes - offsetInPage);
            ReadOutcome outcome = store.read(key.page(at / pageSizeBytes), offsetInPage, ByteBuffer.wrap(blob, done, length));
            if (outcome != ReadOutcome.HIT) {
                return outcome;
            }
            done += length;
        }
        return ReadOutcome.HIT;
    }

    private ReadOutcome drop(BlobKey key, int blobBytes, ReadOutcome outcome)
    {
        for (int page = 0; page <= (HEADER_BYTES + blobBytes - 1) / pageSizeBytes; page++) {
            store.remove(key.page(page));
        }
        return outcome;
    }

    @Override
    public long epoch()
    {
        return store.epoch();
    }

    @Override
    public boolean isStale(BlobKey key, Scope scope, long epoch)
    {
        return store.isStale(key.page(0), scope, epoch);
    }

    @Override
    public void put(BlobKey key, PageTags tags, ByteBuffer blob, long epoch)
    {
        write(key, tags, blob, epoch, false);
    }

    @Override
    public void replace(BlobKey key, PageTags tags, ByteBuffer blob, long epoch)
    {
        write(key, tags, blob, epoch, true);
    }

    private void write(BlobKey key, PageTags tags, ByteBuffer blob, long epoch, boolean replaces)
    {
        int length = blob.remaining();
        if (length > maxBlobBytes || !admits(key, tags.scope(), length)) {
            notWritten(key, WriteOutcome.DECLINED, length);
            return;
        }
        byte[] bytes = new byte[HEADER_BYTES + length];
        blob.get(blob.position(), bytes, HEADER_BYTES, length);
        ByteBuffer.wrap(bytes)
                .putInt(MAGIC)
                .putInt(length)
                .putInt(checksum(new CRC32C(), bytes, HEADER_BYTES))
                .putInt(checksum(new CRC32(), bytes, HEADER_BYTES));
        List<GranuleRange> ranges = new ArrayList<>();
        for (int start = 0; start < bytes.length; start += pageSizeBytes) {
            int pageLength = Math.min(pageSizeBytes, bytes.length - start);
            PageKey page = key.page(start / pageSizeBytes);
            ranges.add(new GranuleRange(page, pageLength, 0, ByteBuffer.wrap(bytes, start, pageLength).slice()));
        }
        Generation generation = begin(key, replaces);
        if (replaces) {
            dropAround(key, ranges.size());
        }
        WriteTerms terms = new WriteTerms(epoch, generation::isReplaced);
        List<GranuleRange> first = ranges.subList(0, 1);
        Runnable writeFirst = () -> writer.write(first, first.get(0).pageLengthBytes(), tags, terms, replaces, new Step(key, generation, length,
                () -> {
                    end(key, generation);
                    counters.written(WriteOutcome.STORED, length);
                }));
        if (ranges.size() == 1) {
            writeFirst.run();
        }
        else {
            writer.write(ranges.subList(1, ranges.size()), bytes.length, tags, terms, replaces, new Step(key, generation, length, writeFirst));
        }
    }

    private boolean admits(BlobKey key, Scope scope, int length)
    {
        return scope.equals(Scope.RECORDS) || admission.admit(key.page(0), scope, length, WriteBudget.UNLIMITED) == Admission.ADMITTED;
    }

    private Generation begin(BlobKey key, boolean replaces)
    {
        return generations.compute(key, (any, current) -> {
            if (current != null && replaces) {
                current.replaced = true;
            }
            Generation joined = current == null || replaces ? new Generation() : current;
            joined.writes++;
            return joined;
        });
    }

    private void end(BlobKey key, Generation generation)
    {
        generations.computeIfPresent(key, (any, current) -> {
            generation.writes--;
            return current == generation && current.writes == 0 ? null : current;
        });
    }

    /** Drops the pages of an earlier blob that its replacement cannot drop when it writes them: a header would be found with other pages, others never. */
    private void dropAround(BlobKey key, int pages)
    {
        try {
            if (pages > 1) {
                store.remove(key.page(0));
            }
            removeFrom(key, pages);
        }
        catch (RuntimeException e) {
            log.log("Dropping pages of a stored footer or result that is replaced failed. Their space is reused later", e);
        }
    }

    private void removeFrom(BlobKey key, int firstPage)
    {
        for (int page = firstPage; store.presentGranules(key.page(page), 0) != 0; page++) {
            store.remove(key.page(page));
        }
    }

    private void notWritten(BlobKey key, WriteOutcome outcome, int blobBytes)
    {
        writer.notWritten(key.page(0));
        counters.written(outcome, blobBytes);
    }

    @Override
    public void invalidate(BlobKey key)
    {
        store.invalidateFile(key.page(0));
    }

    @Override
    public void remove(BlobKey key)
    {
        generations.computeIfPresent(key, (any, current) -> {
            current.replaced = true;
            return current;
        });
        store.remove(key.page(0));
        removeFrom(key, 1);
    }

    @Override
    public boolean wasEvicted(BlobKey key)
    {
        return store.pastEviction(key.page(0), 0) != PastEviction.NONE;
    }

    @Override
    public boolean wasNotWritten(BlobKey key)
    {
        return writer.wasNotWritten(key.page(0));
    }

    @Override
    public int devices()
    {
        return store.devices();
    }

    @Override
    public int device(BlobKey key)
    {
        return store.device(key.page(0));
    }

    @Override
    public int maxBlobBytes()
    {
        return maxBlobBytes;
    }

    @Override
    public BlobCacheStats stats()
    {
        return new BlobCacheStats(counters.lookups(), counters.writes());
    }

    private static int checksum(Checksum checksum, byte[] blob)
    {
        return checksum(checksum, blob, 0);
    }

    private static int checksum(Checksum checksum, byte[] bytes, int offset)
    {
        checksum.update(bytes, offset, bytes.length - offset);
        return (int) checksum.getValue();
    }

    /** The bytes that a lookup has read. */
    private static final class LookupBytes
    {
        private byte[] blob = new byte[0];
        private boolean whole;
    }

    /** The writes of a key that no replacement separates. */
    private static final class Generation
    {
        // changed while the key's place in the map is locked
        private int writes;
        private volatile boolean replaced;

        boolean isReplaced()
        {
            return replaced;
        }
    }

    /** A step of writing a blob. Continues when all its ranges are stored; otherwise counts the blob under the failure. */
    private final class Step
            implements PageWriter.Observer
    {
        private final BlobKey key;
        private final Generation generation;
        private final int blobBytes;
        private final Runnable next;
        private volatile WriteOutcome failure = WriteOutcome.STORED;

        Step(BlobKey key, Generation generation, int blobBytes, Runnable next)
        {
            this.key = key;
            this.generation = generation;
            this.blobBytes = blobBytes;
            this.next = next;
        }

        @Override
        public void written(WriteOutcome outcome, int bytes)
        {
            if (outcome != WriteOutcome.STORED) {
                failure = outcome;
            }
        }

        @Override
        public void ended()
        {
            if (failure == WriteOutcome.STORED) {
                next.run();
            }
            else {
                end(key, generation);
                notWritten(key, failure, blobBytes);
            }
        }
    }
}
