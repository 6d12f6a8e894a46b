// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.clock.AnchoredClock;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.device.FaultyDevice;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.file.StoreId;
import io.eyrie.cache.page.TestingSource;
import io.eyrie.cache.store.PageKey;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.ReadOutcome;
import io.eyrie.cache.store.StorageClass;
import io.eyrie.cache.store.WriteOutcome;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import static org.assertj.core.api.Assertions.assertThat;

/** A store of tiny pages on one or several in-memory disks, which a test can break and reopen. */
public final class TestingStore
        implements AutoCloseable
{
    public static final int PAGE = 4096;
    public static final int GRANULE = 512;
    /** The space of a page on disk. */
    public static final int SLOT = 8192;
    public static final Path A = Path.of("/disks/a");
    public static final Path B = Path.of("/disks/b");
    public static final PageTags TAGS = new PageTags(new Scope("hive", "web", "clicks", "ds=1"), StorageClass.DATA);

    private static final String KEY = newKey();

    /** The true time. */
    final AtomicLong clockMillis = new AtomicLong(1_800_000_000_000L);
    /** The error of the system's clock. */
    final AtomicLong clockErrorMillis = new AtomicLong();
    volatile SequencePoint point = SequencePoint.NONE;
    private PageCacheConfig config;
    private FaultyDevice device;
    private SegmentPageStore store;

    TestingStore()
    {
        this(config(A).build());
    }

    public TestingStore(PageCacheConfig config)
    {
        this.config = config;
        device = new FaultyDevice(1 << 30, config.baseDirectories().toArray(Path[]::new));
        store = open();
    }

    public static PageCacheConfig.Builder config(Path... bases)
    {
        return PageCacheConfig.builder()
                .baseDirectories(List.of(bases))
                .capacityBytes(16L * SLOT * bases.length)
                .pageSizeBytes(PAGE)
                .granuleSizeBytes(GRANULE)
                .minFreeSpaceBytes(0)
                .flushIntervalMillis(5)
                .diskTimeoutMillis(60_000)
                .probeIntervalMillis(1_000_000);
    }

    /** Returns the location of a key with which tests may encrypt. */
    public static String encryptionKey()
    {
        return KEY;
    }

    private static String newKey()
    {
        try {
            Path file = Files.createTempFile("eyrie", "key", PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            file.toFile().deleteOnExit();
            return "file:" + Files.writeString(file, Base64.getEncoder().encodeToString(new byte[32]));
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private SegmentPageStore open()
    {
        return SegmentPageStore.open(config, new StoreParts(device, newClock(), name -> point.reached(name)));
    }

    /** Returns the clock of a process that starts now. */
    AnchoredClock newClock()
    {
        return new AnchoredClock(() -> clockMillis.get() + clockErrorMillis.get(), () -> TimeUnit.MILLISECONDS.toNanos(clockMillis.get()));
    }

    public SegmentPageStore store()
    {
        return store;
    }

    public FaultyDevice device()
    {
        return device;
    }

    public PageCacheConfig config()
    {
        return config;
    }

    /** Closes the store and opens it again. */
    public void restart()
    {
        restart(config);
    }

    void restart(PageCacheConfig newConfig)
    {
        store.close();
        config = newConfig;
        store = open();
    }

    /** Opens the store on the files that a kill of its process leaves. */
    void kill()
    {
        reopen(device.kill());
    }

    /** Opens the store on the files that the end of its process left. */
    void reopen(FaultyDevice left)
    {
        store.close();
        device = left;
        store = open();
    }

    /** Opens the store on the files that a power loss leaves. */
    void losePower(long seed)
    {
        reopen(device.crash(seed));
    }

    static FileVersion version(int file, int version)
    {
        return new FileVersion(StoreId.shared("s3"), "/file" + file, 1L << 30, version, Optional.empty());
    }

    public static PageKey key(int file, long page)
    {
        return PageKey.of(version(file, 0), page);
    }

    static byte[] content(PageKey key)
    {
        return content(key, PAGE);
    }

    public static byte[] content(PageKey key, int length)
    {
        return TestingSource.randomBytes(key.hashHigh() + key.pageNumber(), length);
    }

    public WriteOutcome write(PageKey key)
    {
        return write(key, TAGS);
    }

    public WriteOutcome write(PageKey key, PageTags tags)
    {
        return store.write(key, tags, PAGE, 0, ByteBuffer.wrap(content(key)), store.epoch());
    }

    /** Reads a page, and checks its bytes. */
    public ReadOutcome read(PageKey key)
    {
        ByteBuffer target = ByteBuffer.allocate(PAGE);
        ReadOutcome outcome = store.read(key, 0, target);
        if (outcome == ReadOutcome.HIT) {
            assertThat(target.array()).isEqualTo(content(key));
        }
        return outcome;
    }

    /** Returns how many of the first pages of a file are present. */
    int hits(int file, int pages)
    {
        int hits = 0;
        for (int page = 0; page < pages; page++) {
            hits += read(key(file, page)) == ReadOutcome.HIT ? 1 : 0;
        }
        return hits;
    }

    void setQuota(Scope scope, long bytes)
    {
        store.setQuotas(scope::equals, Map.of(scope, bytes));
    }

    void removeQuota(Scope scope)
    {
        store.setQuotas(scope::equals, Map.of());
    }

    void check()
    {
        StoreChecker.check(store, device);
    }

    @Override
    public void close()
    {
        store.close();
    }
}
