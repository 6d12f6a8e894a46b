// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.admission.AdmissionPolicy;
import io.eyrie.cache.admission.Steering;
import io.eyrie.cache.clock.AnchoredClock;
import io.eyrie.cache.config.ConfigException;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.device.DeviceOutcome;
import io.eyrie.cache.device.FaultyDevice;
import io.eyrie.cache.device.FaultyDevice.Operation;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.page.ByteRange;
import io.eyrie.cache.page.CacheMode;
import io.eyrie.cache.page.CachedFile;
import io.eyrie.cache.page.PageCacheStats;
import io.eyrie.cache.page.RangeSource;
import io.eyrie.cache.page.ReadContext;
import io.eyrie.cache.page.ReadListener;
import io.eyrie.cache.page.ReadThroughPageCache;
import io.eyrie.cache.policy.EvictionKind;
import io.eyrie.cache.segment.SimulatedRemote.Content;
import io.eyrie.cache.segment.SimulatedRemote.RemoteFailure;
import io.eyrie.cache.store.PageKey;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.PageWriter;
import io.eyrie.cache.store.ScopeUsage;
import io.eyrie.cache.trace.TraceListener;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Simulates a whole cache, with its disks, clock, threads and remote store, in one thread. One seed determines all events and their order. After each
 * step, the simulation checks the cache's guarantees.
 */
final class StoreSimulation
{
    /*
     * Interleaving  while a cache waits, reads remotely, reads or writes a segment, or reaches a sequence point, other work and other operations may
     *               run
     * Bytes         each sector that a reader gets belongs to its version, and to a generation that the store had since the read began, or that was
     *               not invalidated before it began (SimulatedRemote); a power loss tears a granule between two sectors
     * Crash         invalidated data comes back only if the journal was not forced since, or if power was lost: the bytes of pages are not forced
     */
    /** An operation on the cache or its environment. */
    enum Step
    {
        READ, STREAM, PREFETCH, INVALIDATE_FILE, INVALIDATE_SCOPE, NEW_VERSION, REMOVE, BLOB, QUOTA, NO_QUOTAS, PIN, RESIZE, WORK, WAIT, LOOK, TEND,
        CLOCK_JUMP, SUSPEND, EXPIRE, RESTART, KILL, POWER_LOSS, DISK_FAILS, DISK_FULL, DISK_READ_ONLY, DISK_HANGS, SHORT_READS, DISK_IS_SMALLER,
        VOLUME_MISSING, FREES_LATE, REMOTE_FAILS, REMOTE_IS_WELL, HEAL, SETTLE
    }

    private static final List<Step> CHANGES = List.of(Step.INVALIDATE_FILE, Step.INVALIDATE_SCOPE, Step.NEW_VERSION, Step.PREFETCH, Step.REMOVE,
            Step.BLOB);
    private static final List<Step> MEANWHILE = List.copyOf(EnumSet.range(Step.READ, Step.LOOK));
    private static final List<Step> RARE = List.copyOf(EnumSet.range(Step.QUOTA, Step.SETTLE));

    private static final int PAGE = TestingStore.PAGE;
    private static final long[] LENGTHS = {0, 1, 700, PAGE, PAGE + 1, 3 * PAGE - 5, 7 * PAGE + 1234, (1L << 31) + 2 * PAGE + 77};
    // reads are in the last bytes of a file
    private static final int WINDOW = 8 * PAGE;
    private static final long DISK_BYTES = 4 << 20;
    private static final long MIN_FREE_BYTES = 256 << 10;
    private static final long MOST_DEPTH = 3;
    private static final int PATIENCE = 200;
    // a full store may cache a page only when it is read again, and a page may have two units
    private static final int SETTLING_READS = 6;
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long MILLISECOND = TimeUnit.MILLISECONDS.toNanos(1);

    private final Random dice;
    private final Map<Step, Long> done;
    private final SimulatedRemote remote;
    private final long startNanos;
    private PageCacheConfig config;
    private FaultyDevice device;
    private SimulatedThreads threads;
    private long wallErrorMillis;
    private AnchoredClock clock;
    private SegmentPageStore store;
    private ReadThroughPageCache cache;
    private final SimulatedBlobs blobs;
    private long outages;
    private int depth;
    private boolean opening;
    private boolean faulty;
    private boolean strayFiles;
    private boolean diskChanged;
    private @Nullable Throwable failure;
    private String doing = "";

    /** @param done counts the steps, by {@link Step} */
    StoreSimulation(long seed, Map<Step, Long> done)
    {
        this.done = done;
        dice = new Random(seed * 0x9E3779B97F4A7C15L);
        remote = new SimulatedRemote(dice, LENGTHS, this::meanwhile);
        config = newConfig();
        device = new FaultyDevice(DISK_BYTES, config.baseDirectories().toArray(Path[]::new));
        config.baseDirectories().forEach(base -> device.setTotalBytes(base, dice.nextInt(1, 5) * DISK_BYTES));
        startNanos = dice.nextLong() >> 8;
        threads = new SimulatedThreads(dice, startNanos);
        clock = newClock();
        store = open();
        cache = newCache();
        blobs = new SimulatedBlobs(dice, store, cache);
    }

    private PageCacheConfig newConfig()
    {
        PageCacheConfig.Builder builder = dice.nextBoolean()
                ? TestingStore.config(TestingStore.A)
                : TestingStore.config(TestingStore.A, TestingStore.B);
        builder.granuleSizeBytes(dice.nextBoolean() ? TestingStore.GRANULE : 32)
                .ttlMillis(dice.nextInt(3) == 0 ? 100_000 : 0)
                .encryptionKey(dice.nextInt(4) == 0 ? Optional.of(TestingStore.encryptionKey()) : Optional.empty())
                .diskTimeoutMillis(100)
                .probeIntervalMillis(1000);
        return varied(builder);
    }

    /** Varies the settings that may change at a start. */
    private PageCacheConfig varied(PageCacheConfig.Builder builder)
    {
        int disks = builder.build().baseDirectories().size();
        return builder.evictionPolicy(any(List.of(EvictionKind.values())))
                .capacityBytes(dice.nextInt(2, 40) * (long) TestingStore.SLOT * disks)
                .indexMemoryBytes(dice.nextInt(2_000, 16_000) * (long) disks)
                .minFreeSpaceBytes(dice.nextBoolean() ? 0 : MIN_FREE_BYTES)
                .writeBufferBytes(dice.nextInt(1, 20) * (long) PAGE)
                .maxFetchBytes(dice.nextInt(1, 4) * PAGE)
                .mergeGapBytes(dice.nextInt(3) * TestingStore.GRANULE)
                .fetchThreads(dice.nextInt(1, 5))
                .fetchesPerFile(dice.nextInt(1, 4))
                .fetchMemoryBytes(dice.nextInt(1, 20) * (long) PAGE)
                .fetchWaitMillis(50)
                .build();
    }

    private long wallMillis()
    {
        return 1_800_000_000_000L + (threads.nanoTime() - startNanos) / MILLISECOND + wallErrorMillis;
    }

    private AnchoredClock newClock()
    {
        SimulatedThreads now = threads;
        return new AnchoredClock(this::wallMillis, now::nanoTime);
    }

    private SegmentPageStore open()
    {
        opening = true;
        try {
            return SegmentPageStore.open(config, new StoreParts(device, clock, name -> meanwhile(), threads, dice::nextLong));
        }
        catch (ConfigException e) {
            // all directories are unreachable: an operator would repair that first
            device.heal();
            faulty = false;
            return SegmentPageStore.open(config, new StoreParts(device, clock, name -> meanwhile(), threads, dice::nextLong));
        }
        finally {
            opening = false;
        }
    }

    private ReadThroughPageCache newCache()
    {
        PageWriter writer = new PageWriter(store, config.writeBufferBytes(), PAGE, threads);
        return new ReadThroughPageCache(store, writer, config, AdmissionPolicy.ALL, TraceListener.NOOP, threads);
    }

    /** Takes {@code steps} steps, closes the cache, and checks that it leaves nothing open. */
    void run(int steps)
    {
        for (int i = 0; i < steps; i++) {
            step(anyStep());
        }
        step(Step.RESTART);
        close();
    }

    private Step anyStep()
    {
        int roll = dice.nextInt(1000);
        if (roll < 400) {
            return Step.READ;
        }
        if (roll < 480) {
            return Step.STREAM;
        }
        if (roll < 640) {
            return Step.WORK;
        }
        if (roll < 740) {
            return Step.WAIT;
        }
        if (roll < 840) {
            return any(CHANGES);
        }
        return any(RARE);
    }

    private <T> T any(List<T> values)
    {
        return values.get(dice.nextInt(values.size()));
    }

    private void step(Step step)
    {
        doing = step.toString();
        done.merge(step, 1L, Long::sum);
        long segmentBytes = device.usedBytes(SegmentFiles.SUFFIX);
        long otherBytes = device.usedBytes("") - segmentBytes;
        diskChanged = false;
        take(step);
        threads.pass(dice.nextLong(MILLISECOND));
        check(segmentBytes, otherBytes);
    }

    private void take(Step step)
    {
        switch (step) {
            case TEND -> tend();
            case CLOCK_JUMP -> jumpClock();
            case SUSPEND -> threads.pass(dice.nextLong(20) * 60 * SECOND);
            case EXPIRE -> expire();
            case RESTART -> restart();
            case KILL -> {
                device = device.kill();
                faulty = false;
                comeBack(false);
            }
            case POWER_LOSS -> {
                device = device.crash(dice.nextLong());
                faulty = false;
                comeBack(true);
            }
            case DISK_FAILS -> breakDisk(DeviceOutcome.IO_ERROR, dice.nextBoolean());
            case DISK_READ_ONLY -> breakDisk(DeviceOutcome.READ_ONLY, true);
            case DISK_HANGS -> breakDisk(DeviceOutcome.HUNG, false);
            case SHORT_READS -> breakDisk(DeviceOutcome.END_OF_FILE, false);
            case DISK_FULL -> setDiskBytes(device.usedBytes("") + dice.nextInt(64 << 10));
            case DISK_IS_SMALLER -> shrinkDisk();
            case VOLUME_MISSING -> loseVolume();
            case FREES_LATE -> device.freeLate(dice.nextBoolean());
            case REMOTE_FAILS -> remote.failOneOf(dice.nextInt(1, 20));
            case REMOTE_IS_WELL -> remote.failOneOf(Integer.MAX_VALUE);
            case HEAL -> heal();
            case SETTLE -> settle();
            default -> operate(step);
        }
    }

    /** Operations that can also occur while another operation is in progress. */
    private void operate(Step step)
    {
        switch (step) {
            case READ -> read(1);
            case STREAM -> read(dice.nextInt(2, 8));
            case PREFETCH -> prefetch();
            case INVALIDATE_FILE -> invalidate(remote.any());
            case INVALIDATE_SCOPE -> invalidate(randomScope());
            case NEW_VERSION -> remote.change(dice.nextInt(remote.files()));
            case REMOVE -> store.remove(PageKey.of(remote.any().version, dice.nextInt(8)));
            case BLOB -> useBlob();
            case QUOTA -> setQuota(randomScope(), dice.nextInt(0, 20) * (long) TestingStore.SLOT);
            case NO_QUOTAS -> removeQuotas();
            case PIN -> cache.steer("operator", new Steering(List.of(), dice.nextInt(3) == 0 ? Set.of(randomScope()) : Set.of()));
            case RESIZE -> cache.resize(dice.nextInt(1, 40) * (long) TestingStore.SLOT * config.baseDirectories().size());
            case WORK -> threads.runAll(1 + dice.nextInt(10));
            case WAIT -> threads.pass(dice.nextLong(10 * MILLISECOND));
            default -> look();
        }
    }

    private void meanwhile()
    {
        if (opening || depth >= MOST_DEPTH || dice.nextInt(6) != 0) {
            return;
        }
        depth++;
        try {
            if (dice.nextBoolean()) {
                threads.runAll(1 + dice.nextInt(4));
            }
            else {
                Step step = any(MEANWHILE);
                done.merge(step, 1L, Long::sum);
                operate(step);
            }
        }
        finally {
            depth--;
        }
    }

    /** Records a failure, because the cache's code may swallow the exception. */
    private AssertionError fail(String what, @Nullable Throwable cause)
    {
        AssertionError error = new AssertionError(doing + ": " + what, cause);
        failure = failure == null ? error : failure;
        return error;
    }

    private void expect(boolean holds, String what)
    {
        if (!holds) {
            throw fail(what, null);
        }
    }

    private void read(int times)
    {
        Content content = remote.any();
        CacheMode mode = dice.nextInt(6) == 0 ? any(List.of(CacheMode.values())) : CacheMode.READ_WRITE;
        long position = anyPosition(content);
        int length = 1 + dice.nextInt(times == 1 ? 3 * PAGE : PAGE / 2);
        RangeSource source = remote.source(content);
        try (CachedFile file = cache.open(content.version, source, new ReadContext(content.scope, mode, ReadListener.NOOP))) {
            for (int i = 0; i < times && position + (long) i * length <= content.length(); i++) {
                read(file, content, position + (long) i * length, length);
            }
        }
        catch (RemoteFailure e) {
            if (!e.isOf(source)) {
                throw fail("a reader of " + content + " got the failure of another", e);
            }
        }
        catch (IOException | RuntimeException e) {
            throw fail("reading " + content + " failed", e);
        }
    }

    private void read(CachedFile file, Content content, long position, int length)
            throws IOException
    {
        int oldest = content.oldest;
        ByteBuffer target = dice.nextBoolean() ? ByteBuffer.allocate(length) : ByteBuffer.allocateDirect(length);
        int read = file.read(position, target);
        int expected = position >= content.length() ? -1 : (int) Math.min(length, content.length() - position);
        expect(read == expected, "read " + read + " bytes and not " + expected + " at " + position + " of " + content);
        byte[] bytes = new byte[Math.max(0, read)];
        target.flip().get(bytes);
        int sector = Layout.of(PAGE, config.granuleSizeBytes(), config.encryptionKey().isPresent()).sectorBytes();
        for (int at = 0; at < bytes.length;) {
            int end = Math.min(bytes.length, at + sector - (int) ((position + at) % sector));
            int generation = content.generation;
            while (generation >= oldest && !content.has(generation, position + at, bytes, at, end - at)) {
                generation--;
            }
            if (generation < oldest) {
                throw fail("bytes " + (position + at) + "+" + (end - at) + " of " + content + " are " + whose(content, position + at, bytes, at, end
                        - at)
                        + "; the oldest right ones are of generation " + oldest, null);
            }
            at = end;
        }
    }

    private long anyPosition(Content content)
    {
        long first = Math.max(0, content.length() - WINDOW);
        return first + dice.nextInt((int) (content.length() - first) + 1);
    }

    private String whose(Content content, long position, byte[] bytes, int at, int length)
    {
        for (int generation = 0; generation < content.oldest; generation++) {
            if (content.has(generation, position, bytes, at, length)) {
                return "of generation " + generation + ", which was invalidated";
            }
        }
        return "not of that version";
    }

    private void useBlob()
    {
        long before = outages;
        String wrong = blobs.use(() -> threads.runAll(dice.nextInt(3)));
        outages = cache.stats().store().outages();
        if (outages != before) {
            // a directory that failed may come back with what it had before
            blobs.forget();
        }
        else {
            expect(wrong == null, String.valueOf(wrong));
        }
    }

    private void prefetch()
    {
        Content content = remote.any();
        long position = anyPosition(content);
        try (CachedFile file = cache.open(content.version, remote.source(content), new ReadContext(content.scope, CacheMode.READ_WRITE,
                ReadListener.NOOP))) {
            file.prefetch(List.of(new ByteRange(position, 1 + dice.nextInt(2 * PAGE)), new ByteRange(anyPosition(content), 100)));
        }
        catch (RuntimeException e) {
            throw fail("a prefetch of " + content + " failed", e);
        }
    }

    private static void overwrite(Content content)
    {
        content.generation++;
    }

    private void invalidate(Content content)
    {
        overwrite(content);
        int generation = content.generation;
        cache.control().invalidate(content.version);
        content.oldest = Math.max(content.oldest, generation);
    }

    private void invalidate(Scope scope)
    {
        List<Content> within = remote.all().stream().filter(content -> scope.contains(content.scope)).toList();
        within.forEach(StoreSimulation::overwrite);
        int[] generations = within.stream().mapToInt(content -> content.generation).toArray();
        cache.control().invalidate(scope);
        for (int i = 0; i < generations.length; i++) {
            within.get(i).oldest = Math.max(within.get(i).oldest, generations[i]);
        }
    }

    private Scope randomScope()
    {
        Scope scope = remote.any().scope;
        return switch (dice.nextInt(4)) {
            case 0 -> new Scope("", "", scope.table(), "");
            case 1 -> new Scope("hive", "", scope.table(), scope.partition());
            case 2 -> new Scope("", "", "", scope.partition());
            default -> dice.nextInt(4) == 0 ? Scope.NONE : scope;
        };
    }

    private void setQuota(Scope scope, long bytes)
    {
        cache.setQuotas(scope::equals, Map.of(scope, bytes));
        expect(Long.valueOf(bytes).equals(cache.quotas().get(scope)), "the quota is not there");
    }

    private void removeQuotas()
    {
        cache.setQuotas(scope -> true, Map.of());
        expect(cache.quotas().isEmpty(), "a quota is left");
    }

    private void look()
    {
        long pages = cache.contents().values().stream().mapToLong(ScopeUsage::pages).sum();
        expect(pages <= cache.stats().store().currentPages(), "more pages are held than there are");
        cache.disks();
        Content content = remote.any();
        expect(cache.cachedBytes(content.version) <= content.length(), "more of a file is cached than it has");
    }

    /** Tends the store as its maintenance thread does, which never does so twice at once. */
    private void tend()
    {
        threads.holdSchedules(true);
        store.tend();
        threads.holdSchedules(false);
    }

    private void jumpClock()
    {
        // without a restart; with one, old pages may appear young again
        wallErrorMillis = dice.nextInt(3) == 0 ? 0 : dice.nextLong(-TimeUnit.DAYS.toMillis(20), TimeUnit.DAYS.toMillis(20));
    }

    /** Lets all pages expire, so that later reads must not return their bytes. */
    private void expire()
    {
        if (config.ttlMillis() == 0) {
            return;
        }
        threads.runAll(1000);
        remote.all().forEach(StoreSimulation::overwrite);
        // the clock may be slow by an eighth
        threads.pass((config.ttlMillis() * 8 / 7 + 3000) * MILLISECOND);
        remote.all().forEach(content -> content.oldest = content.generation);
    }

    private void restart()
    {
        boolean well = !faulty && cache.stats().store().currentQuarantinedDirectories() == 0 && device.freeBytes() > 512 << 10;
        close();
        if (well) {
            remote.all().forEach(content -> content.oldestOnDisk = content.oldest);
        }
        if (dice.nextBoolean()) {
            config = varied(config.toBuilder());
        }
        comeBack(false);
    }

    private void close()
    {
        cache.close();
        threads.runAll(10_000);
        expect(device.openFiles() == 0, "files are open that nothing uses: " + device.openFiles());
        expect(cache.stats().fetch().currentFetchBytes() == 0, "fetches have memory that nothing uses");
    }

    /** Starts a process on the files of the last one. */
    private void comeBack(boolean lostPower)
    {
        if (dice.nextInt(3) > 0) {
            device.heal();
            faulty = false;
        }
        start(lostPower);
    }

    private void start(boolean lostPower)
    {
        remote.all().forEach(content -> {
            content.oldest = lostPower ? 0 : Math.min(content.oldest, content.oldestOnDisk);
            content.oldestOnDisk = content.oldest;
        });
        if (config.ttlMillis() > 0) {
            // ages can be right only if the clocks of two processes agree
            wallErrorMillis += clock.getAsLong() - wallMillis();
        }
        threads = new SimulatedThreads(dice, threads.nanoTime());
        threads.setPatience(PATIENCE);
        clock = newClock();
        strayFiles = faulty;
        diskChanged = true;
        store = open();
        cache = newCache();
        blobs.reopen(store, cache);
    }

    /** Starts a process that does not find one of its volumes. */
    private void loseVolume()
    {
        if (config.baseDirectories().size() == 1) {
            return;
        }
        close();
        Path base = any(config.baseDirectories());
        device.setFault((operation, path) -> path.startsWith(base) ? DeviceOutcome.MISSING : DeviceOutcome.OK);
        faulty = true;
        start(false);
    }

    private void breakDisk(DeviceOutcome outcome, boolean always)
    {
        faulty = true;
        strayFiles = true;
        int oneOf = always ? 1 : dice.nextInt(1, 30);
        Path base = any(config.baseDirectories());
        device.setFault((operation, path) -> {
            boolean hit = path.startsWith(base) && operation != Operation.LOCK && dice.nextInt(oneOf) == 0;
            if (outcome == DeviceOutcome.HUNG) {
                return hit ? hang() : DeviceOutcome.OK;
            }
            boolean applies = outcome == DeviceOutcome.READ_ONLY
                    ? operation.changes()
                    : outcome != DeviceOutcome.END_OF_FILE || operation == Operation.READ;
            return hit && applies ? outcome : DeviceOutcome.OK;
        });
    }

    private DeviceOutcome hang()
    {
        threads.pass(dice.nextLong(15 * config.diskTimeoutMillis() * MILLISECOND));
        if (!opening) {
            store.watch();
        }
        return dice.nextBoolean() ? DeviceOutcome.OK : DeviceOutcome.IO_ERROR;
    }

    private void setDiskBytes(long bytes)
    {
        diskChanged = true;
        device.setCapacityBytes(bytes);
    }

    /** Shrinks the disk, so that some of the space that must stay free is missing. The store must not give up more than that. */
    private void shrinkDisk()
    {
        setDiskBytes(device.usedBytes("") + MIN_FREE_BYTES - dice.nextInt(32 << 10));
        long missing = Math.max(0, config.minFreeSpaceBytes() - device.freeBytes());
        long before = device.usedBytes(SegmentFiles.SUFFIX);
        int disks = config.baseDirectories().size();
        boolean well = !faulty && cache.stats().store().currentQuarantinedDirectories() == 0;
        for (int i = 0; i < 3; i++) {
            tend();
        }
        long freed = before - device.usedBytes(SegmentFiles.SUFFIX);
        // each segment has one slot, and the block of its header
        long segment = TestingStore.SLOT + Layout.BLOCK_BYTES;
        expect(!well || freed <= disks * (missing + segment), "for " + missing + " bytes that were missing, " + freed + " were given up");
    }

    private void heal()
    {
        device.heal();
        faulty = false;
        device.freeLate(false);
        setDiskBytes(DISK_BYTES);
        threads.setPatience(Integer.MAX_VALUE);
        threads.runAll(1000);
        tend();
        // a directory with a slow journal is retried after at most ten minutes, of a clock that may be slow by an eighth
        threads.pass(TimeUnit.MINUTES.toNanos(13));
        threads.runAll(1000);
        tend();
        tend();
        threads.setPatience(PATIENCE);
        expect(cache.stats().store().currentQuarantinedDirectories() == 0, "a healthy disk is out of service: " + cache.disks());
    }

    /** Once everything is healthy and nothing interferes, a page that was read is found. */
    private void settle()
    {
        heal();
        remote.failOneOf(Integer.MAX_VALUE);
        removeQuotas();
        cache.steer("operator", Steering.NONE);
        cache.resize(16L * TestingStore.SLOT * config.baseDirectories().size());
        threads.runAll(1000);
        Content content = remote.any();
        if (content.length() == 0 || content != remote.latest(content)) {
            return;
        }
        long position = Math.min(anyPosition(content), content.length() - 1);
        int length = (int) Math.min(PAGE - position % PAGE, content.length() - position);
        depth = (int) MOST_DEPTH;
        threads.setPatience(Integer.MAX_VALUE);
        for (int i = 0; i < SETTLING_READS; i++) {
            long reads = remote.reads();
            try (CachedFile file = cache.open(content.version, remote.source(content), new ReadContext(content.scope, CacheMode.READ_WRITE,
                    ReadListener.NOOP))) {
                read(file, content, position, length);
            }
            catch (IOException | RuntimeException e) {
                throw fail("reading " + content + " failed", e);
            }
            threads.runAll(1000);
            expect(i < SETTLING_READS - 1 || remote.reads() == reads, "what was just read of " + content + " at " + position + "+" + length
                    + " is not there: "
                    + cache.stats());
        }
        depth = 0;
        threads.setPatience(PATIENCE);
        expect(cache.stats().fetch().currentFetchBytes() == 0, "fetches have memory that nothing uses");
    }

    private void check(long segmentBytesBefore, long otherBytesBefore)
    {
        if (failure != null) {
            throw new AssertionError(failure.getMessage(), failure);
        }
        PageCacheStats stats = cache.stats();
        expect(stats.lookup().hits() + stats.lookup().misses() + stats.lookup().declined() + stats.lookup().errors() == stats.lookup().lookups(),
                "lookups do not add up");
        expect(stats.fetch().remoteReadFailures() <= stats.fetch().remoteReads(), "more reads failed than there were");
        expect(stats.store().currentIndexBytes() <= config.indexMemoryBytes(), "the index is too large");
        expect(stats.store().currentBytes() <= stats.store().capacityBytes(), "too much is stored");
        StoreChecker.check(store, device, strayFiles);
        long segmentBytes = device.usedBytes(SegmentFiles.SUFFIX);
        long otherBytes = device.usedBytes("") - segmentBytes;
        if (!diskChanged && !faulty && segmentBytes > segmentBytesBefore) {
            // holes take space on this device, unlike on file systems: up to one slot per writer
            long slack = Math.max(0, otherBytes - otherBytesBefore) + 8L * TestingStore.SLOT;
            expect(device.freeBytes() + slack >= config.minFreeSpaceBytes(), (segmentBytes - segmentBytesBefore) + " bytes were taken, though only "
                    + device.freeBytes() + " are free, and "
                    + config.minFreeSpaceBytes() + " must stay free; the journal took " + (otherBytes - otherBytesBefore));
        }
        checkQuotas(cache.quotas());
        if (store.directories().stream().allMatch(directory -> directory.table() != null && directory.table().isWhole())) {
            remote.all().forEach(content -> content.oldestOnDisk = content.oldest);
        }
    }

    /** A page that was being written when its quota shrank is evicted when the store is tended. */
    private void checkQuotas(Map<Scope, Long> quotas)
    {
        if (exceeded(quotas) != null) {
            tend();
            expect(exceeded(quotas) == null, "a quota is exceeded: " + exceeded(quotas));
        }
    }

    private @Nullable Scope exceeded(Map<Scope, Long> quotas)
    {
        Map<PageTags, ScopeUsage> contents = quotas.isEmpty() ? Map.of() : cache.contents();
        for (Map.Entry<Scope, Long> quota : quotas.entrySet()) {
            long held = 0;
            for (Map.Entry<PageTags, ScopeUsage> content : contents.entrySet()) {
                held += quota.getKey().contains(content.getKey().scope()) ? content.getValue().bytes() : 0;
            }
            if (held > quota.getValue()) {
                return quota.getKey();
            }
        }
        return null;
    }
}
