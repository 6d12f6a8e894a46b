// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.store;

import io.eyrie.cache.file.Scope;

import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;

/** An in-memory page store with read and write outcomes that a test can replace. Evicts the oldest pages. Thread-safe. */
public final class TestingPageStore
        implements PageStore
{
    public static final int GRANULE_BYTES = 16 << 10;

    private final int granuleBytes;
    // read without a lock
    private final Map<PageKey, Page> published = new ConcurrentHashMap<>();
    // guarded by this
    private final Map<PageKey, Page> pages = new LinkedHashMap<>();
    private final Map<PageKey, Long> fileEpochs = new HashMap<>();
    private final Map<Scope, Long> scopeEpochs = new HashMap<>();
    private final Map<Scope, Long> quotas = new HashMap<>();
    private long epoch;
    private long evictions;
    private long capacityBytes = Long.MAX_VALUE;
    private volatile boolean closed;

    private volatile int devices = 1;
    private volatile PastEviction pastEviction = PastEviction.NONE;
    private volatile Function<PageKey, Optional<ReadOutcome>> readFault = key -> Optional.empty();
    private volatile Function<PageKey, Optional<WriteOutcome>> writeFault = key -> Optional.empty();

    /** The bytes of granules are written before the granules are published, and never change afterwards. */
    private record Page(PageTags tags, ByteBuffer bytes, BitSet granules)
    {
        Page with(BitSet newGranules)
        {
            return new Page(tags, bytes, newGranules);
        }

        int length()
        {
            return bytes.capacity();
        }
    }

    /** Creates a store of unlimited capacity. */
    public TestingPageStore()
    {
        this(GRANULE_BYTES);
    }

    public TestingPageStore(int granuleBytes)
    {
        this.granuleBytes = granuleBytes;
    }

    /** Replaces the outcome of reads, or throws. */
    public void setReadFault(Function<PageKey, Optional<ReadOutcome>> fault)
    {
        readFault = fault;
    }

    /** Replaces the outcome of writes, delays them, or throws. */
    public void setWriteFault(Function<PageKey, Optional<WriteOutcome>> fault)
    {
        writeFault = fault;
    }

    /** Spreads pages over {@code count} devices by their number. */
    public void setDevices(int count)
    {
        devices = count;
    }

    public synchronized Map<PageKey, PageTags> tags()
    {
        Map<PageKey, PageTags> tags = new HashMap<>();
        pages.forEach((key, page) -> tags.put(key, page.tags));
        return tags;
    }

    /** Returns the granules of a page that are present. */
    public synchronized BitSet granules(PageKey key)
    {
        Page page = pages.get(key);
        return page == null ? new BitSet() : (BitSet) page.granules.clone();
    }

    /** Removes one granule. */
    public synchronized void dropGranule(PageKey key, int granule)
    {
        Page page = pages.get(key);
        if (page != null) {
            BitSet granules = (BitSet) page.granules.clone();
            granules.clear(granule);
            put(key, page.with(granules));
        }
    }

    private void put(PageKey key, Page page)
    {
        pages.put(key, page);
        published.put(key, page);
    }

    private void drop(Predicate<Map.Entry<PageKey, Page>> which)
    {
        pages.entrySet().removeIf(which);
        published.keySet().retainAll(pages.keySet());
    }

    public boolean isClosed()
    {
        return closed;
    }

    /** Sets the past eviction that the store reports for each page that it does not have. */
    public void setPastEviction(PastEviction past)
    {
        pastEviction = past;
    }

    @Override
    public PastEviction pastEviction(PageKey key, int offsetInPage)
    {
        return pastEviction;
    }

    @Override
    public int granuleSizeBytes()
    {
        return granuleBytes;
    }

    @Override
    public int devices()
    {
        return devices;
    }

    @Override
    public int device(PageKey key)
    {
        return (int) (key.pageNumber() % devices);
    }

    @Override
    public ReadOutcome read(PageKey key, int offsetInPage, ByteBuffer target)
    {
        Optional<ReadOutcome> fault = readFault.apply(key);
        return fault.isPresent() ? fault.get() : readPage(key, offsetInPage, target);
    }

    private ReadOutcome readPage(PageKey key, int offsetInPage, ByteBuffer target)
    {
        if (closed) {
            return ReadOutcome.DECLINED;
        }
        Page page = published.get(key);
        int end = offsetInPage + target.remaining();
        if (page == null || end > page.length() || page.granules.nextClearBit(offsetInPage / granuleBytes) * granuleBytes < end) {
            return ReadOutcome.MISS;
        }
        target.put(page.bytes.slice(offsetInPage, target.remaining()));
        return ReadOutcome.HIT;
    }

    @Override
    public synchronized long presentGranules(PageKey key, int firstGranule)
    {
        Page page = pages.get(key);
        long[] words = page == null ? new long[0] : page.granules.get(firstGranule, firstGranule + Long.SIZE).toLongArray();
        return words.length == 0 ? 0 : words[0];
    }

    @Override
    public synchronized long epoch()
    {
        return epoch;
    }

    @Override
    public WriteOutcome write(PageKey key, PageTags tags, int pageLengthBytes, int offsetInPage, ByteBuffer granules, WriteTerms terms)
    {
        int end = offsetInPage + granules.remaining();
        if (offsetInPage < 0 || offsetInPage % granuleBytes != 0 || end <= offsetInPage || end > pageLengthBytes
                || (end % granuleBytes != 0 && end != pageLengthBytes)) {
            throw new IllegalArgumentException(offsetInPage + "+" + granules.remaining() + " are not granules of a page of " + pageLengthBytes);
        }
        Optional<WriteOutcome> fault = writeFault.apply(key);
        return fault.isPresent() ? fault.get() : writePage(key, tags, pageLengthBytes, offsetInPage, granules, terms);
    }

    private synchronized WriteOutcome writePage(
            PageKey key,
            PageTags tags,
            int pageLengthBytes,
            int offsetInPage,
            ByteBuffer granules,
            WriteTerms terms)
    {
        if (closed) {
            return WriteOutcome.DECLINED;
        }
        if (terms.isReplaced().getAsBoolean() || isStale(key, tags.scope(), terms.epoch())) {
            return WriteOutcome.STALE;
        }
        Page existing = pages.get(key);
        if (existing != null && existing.length() != pageLengthBytes) {
            return WriteOutcome.DECLINED;
        }
        Page page = existing == null ? new Page(tags, ByteBuffer.allocate(pageLengthBytes), new BitSet()) : existing;
        BitSet present = (BitSet) page.granules.clone();
        for (int start = 0; start < granules.remaining(); start += granuleBytes) {
            int granule = (offsetInPage + start) / granuleBytes;
            if (!present.get(granule)) {
                int length = Math.min(granuleBytes, granules.remaining() - start);
                page.bytes.put(offsetInPage + start, granules, granules.position() + start, length);
                present.set(granule);
            }
        }
        put(key, page.with(present));
        evict();
        return pages.containsKey(key) ? WriteOutcome.STORED : WriteOutcome.DECLINED;
    }

    @Override
    public synchronized boolean isStale(PageKey key, Scope scope, long loadEpoch)
    {
        return fileEpochs.getOrDefault(key.page(0), 0L) > loadEpoch
                || scopeEpochs.entrySet().stream().anyMatch(entry -> entry.getValue() > loadEpoch && entry.getKey().contains(scope));
    }

    private void evict()
    {
        quotas.forEach((scope, bytes) -> evict(bytes, page -> scope.contains(page.tags.scope())));
        evict(capacityBytes, page -> true);
    }

    private void evict(long mostBytes, Predicate<Page> which)
    {
        while (bytes(which) > mostBytes) {
            PageKey victim = victim(which, StorageClass.DATA).or(() -> victim(which, StorageClass.RESULT)).or(() -> victim(which,
                    StorageClass.FOOTER)).orElseThrow();
            drop(entry -> entry.getKey().equals(victim));
            evictions++;
        }
    }

    private Optional<PageKey> victim(Predicate<Page> which, StorageClass storageClass)
    {
        return pages.entrySet()
                .stream()
                .filter(entry -> which.test(entry.getValue()) && entry.getValue().tags.storageClass() == storageClass)
                .map(Map.Entry::getKey)
                .findFirst();
    }

    private long bytes(Predicate<Page> which)
    {
        return pages.values()
                .stream()
                .filter(which)
                .mapToLong(page -> Math.min(page.length(), (long) page.granules.cardinality() * granuleBytes))
                .sum();
    }

    @Override
    public synchronized void remove(PageKey key)
    {
        drop(entry -> entry.getKey().equals(key));
    }

    @Override
    public synchronized void invalidateFile(PageKey anyPageOfIt)
    {
        epoch++;
        fileEpochs.put(anyPageOfIt.page(0), epoch);
        drop(entry -> entry.getKey().page(0).equals(anyPageOfIt.page(0)));
    }

    @Override
    public synchronized void invalidate(Scope scope)
    {
        epoch++;
        scopeEpochs.put(scope, epoch);
        drop(entry -> scope.contains(entry.getValue().tags.scope()));
    }

    @Override
    public synchronized void setQuotas(Predicate<Scope> which, Map<Scope, Long> newQuotas)
    {
        quotas.keySet().removeIf(which);
        quotas.putAll(newQuotas);
        evict();
    }

    @Override
    public synchronized Map<Scope, Long> quotas()
    {
        return Map.copyOf(quotas);
    }

    @Override
    public synchronized void resize(long newCapacityBytes)
    {
        capacityBytes = newCapacityBytes;
        evict();
    }

    @Override
    public synchronized PageStoreStats stats()
    {
        return new PageStoreStats(evictions, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, bytes(page -> true), pages.size(), 0, capacityBytes, 0);
    }

    @Override
    public synchronized void close()
    {
        closed = true;
        drop(entry -> true);
    }
}
