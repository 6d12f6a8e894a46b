package io.eyrie.cache.page;

import io.eyrie.cache.file.Scope;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** A page store in memory, whose reads and writes a test can turn into others. Thread-safe. */
public final class TestingPageStore
        implements PageStore
{
    private final Map<PageKey, byte[]> pages = new ConcurrentHashMap<>();
    private final Map<PageKey, Scope> scopes = new ConcurrentHashMap<>();
    private volatile Function<PageKey, Optional<ReadOutcome>> readFault = key -> Optional.empty();
    private volatile Function<PageKey, Optional<WriteOutcome>> writeFault = key -> Optional.empty();
    private volatile boolean closed;

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

    public Map<PageKey, Scope> scopes()
    {
        return Map.copyOf(scopes);
    }

    public boolean isClosed()
    {
        return closed;
    }

    @Override
    public ReadOutcome read(PageKey key, int offsetInPage, ByteBuffer target)
    {
        Optional<ReadOutcome> fault = readFault.apply(key);
        if (fault.isPresent()) {
            return fault.get();
        }
        byte[] page = pages.get(key);
        if (page == null || offsetInPage + target.remaining() > page.length) {
            return closed ? ReadOutcome.DECLINED : ReadOutcome.MISS;
        }
        target.put(page, offsetInPage, target.remaining());
        return ReadOutcome.HIT;
    }

    @Override
    public WriteOutcome write(PageKey key, Scope scope, ByteBuffer page)
    {
        Optional<WriteOutcome> fault = writeFault.apply(key);
        if (fault.isPresent() || closed) {
            return fault.orElse(WriteOutcome.DECLINED);
        }
        byte[] copy = new byte[page.remaining()];
        page.duplicate().get(copy);
        if (pages.putIfAbsent(key, copy) == null) {
            scopes.put(key, scope);
        }
        return WriteOutcome.STORED;
    }

    @Override
    public boolean contains(PageKey key)
    {
        return pages.containsKey(key);
    }

    @Override
    public void remove(PageKey key)
    {
        pages.remove(key);
        scopes.remove(key);
    }

    @Override
    public PageStoreStats stats()
    {
        return new PageStoreStats(0, 0, pages.values().stream().mapToLong(page -> page.length).sum(), pages.size(), Long.MAX_VALUE, 0);
    }

    @Override
    public void close()
    {
        closed = true;
        pages.clear();
    }
}
