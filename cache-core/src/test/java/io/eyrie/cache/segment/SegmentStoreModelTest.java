// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.device.DeviceOutcome;
import io.eyrie.cache.device.FaultyDevice.Operation;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.policy.EvictionKind;
import io.eyrie.cache.store.PageKey;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.ReadOutcome;
import io.eyrie.cache.store.StorageClass;
import io.eyrie.cache.store.WriteOutcome;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares a store with a model of its contents, during random operations and faults. A granule that the store returns was written since its page was
 * last invalidated or removed, unless the process was killed since. A page that was just stored is present.
 */
final class SegmentStoreModelTest
{
    private static final int STEPS = 200;
    private static final int FILES = 4;
    private static final int VERSIONS = 3;
    private static final int PAGES = 7;

    @Property
    void storeGivesWhatWasWritten(@ForAll long seed)
    {
        Random random = new Random(seed);
        // pages of one unit and of several, on one disk and on several
        PageCacheConfig.Builder config = random.nextBoolean()
                ? TestingStore.config(TestingStore.A)
                : TestingStore.config(TestingStore.A, TestingStore.B);
        config.granuleSizeBytes(random.nextBoolean() ? TestingStore.GRANULE : 32)
                .evictionPolicy(any(random, EvictionKind.values()))
                .ttlMillis(random.nextBoolean() ? 0 : 100_000)
                .indexMemoryBytes(indexMemoryBytes(random))
                .encryptionKey(random.nextInt(3) == 0 ? Optional.of(TestingStore.encryptionKey()) : Optional.empty());
        try (TestingStore store = new TestingStore(config.build())) {
            Model model = new Model(store, random);
            for (int step = 0; step < STEPS; step++) {
                model.step();
            }
            model.heal();
            model.checkAll();
            model.restart();
            model.checkAll();
            store.check();
        }
    }

    /** Returns memory for between a few and all pages of a directory. */
    private static long indexMemoryBytes(Random random)
    {
        return random.nextInt(2_000, 16_000);
    }

    private static <T> T any(Random random, T[] values)
    {
        return List.of(values).get(random.nextInt(values.length));
    }

    private static final class Model
    {
        private final TestingStore testing;
        private final Random random;
        private final Map<PageKey, BitSet> written = new HashMap<>();
        private final Map<PageKey, BitSet> writtenSinceInvalidated = new HashMap<>();
        private final Map<PageKey, BitSet> everWritten = new HashMap<>();
        private final Map<PageKey, Scope> scopes = new HashMap<>();
        private final Set<PageKey> keys = new HashSet<>();
        private boolean faulty;
        private boolean damaged;
        private boolean diskFailed;

        Model(TestingStore testing, Random random)
        {
            this.testing = testing;
            this.random = random;
        }

        private int granuleBytes()
        {
            return testing.config().granuleSizeBytes();
        }

        private static int length(PageKey key)
        {
            return key.pageNumber() == PAGES - 1 ? 1234 : TestingStore.PAGE;
        }

        private PageKey randomKey()
        {
            PageKey key = PageKey.of(TestingStore.version(random.nextInt(FILES), random.nextInt(VERSIONS)), random.nextInt(PAGES));
            keys.add(key);
            return key;
        }

        private static Scope scope(PageKey key)
        {
            return new Scope("hive", "web", "t" + Math.floorMod(key.hashLow(), 3), "p" + Math.floorMod(key.hashHigh(), 2));
        }

        void step()
        {
            act();
            assertThat(testing.store().stats().currentIndexBytes()).isLessThanOrEqualTo(testing.config().indexMemoryBytes());
        }

        private void act()
        {
            int what = random.nextInt(100);
            if (what < 45) {
                write(randomKey());
            }
            else if (what < 75) {
                read(randomKey());
            }
            else if (what < 80) {
                PageKey key = randomKey();
                testing.store().remove(key);
                // unlike an invalidated page, a removed one may be present again after its disk has failed
                if (!diskFailed) {
                    written.remove(key);
                }
            }
            else if (what < 84) {
                PageKey key = randomKey();
                testing.store().invalidateFile(key);
                keys.stream().filter(other -> other.page(0).equals(key.page(0))).forEach(this::forget);
            }
            else if (what < 88) {
                Scope scope = randomScope();
                testing.store().invalidate(scope);
                keys.stream().filter(key -> scope.contains(scope(key))).forEach(this::forget);
            }
            else {
                rareStep(what);
            }
        }

        private void rareStep(int what)
        {
            switch (what) {
                case 88 -> testing.store().setPins(random.nextInt(3) == 0 ? Set.of(randomScope()) : Set.of());
                case 89 -> testing.store().resize(random.nextInt(1, 40) * (long) TestingStore.SLOT);
                case 90 -> testing.setQuota(randomScope(), random.nextInt(0, 20) * (long) TestingStore.SLOT);
                case 91 -> testing.store().setQuotas(scope -> true, Map.of());
                case 92, 93 -> testing.clockMillis.addAndGet(random.nextInt(60_000));
                case 94 -> testing.store().tend();
                case 95 -> {
                    heal();
                    restart();
                }
                case 96 -> {
                    heal();
                    testing.kill();
                    comeBack();
                }
                case 97 -> {
                    heal();
                    testing.losePower(random.nextLong());
                    comeBack();
                }
                case 98 -> breakDisk();
                default -> heal();
            }
        }

        private Scope randomScope()
        {
            Scope scope = scope(randomKey());
            return switch (random.nextInt(4)) {
                case 0 -> new Scope("", "", scope.table(), "");
                case 1 -> new Scope("hive", "", scope.table(), scope.partition());
                case 2 -> new Scope("", "", "", scope.partition());
                default -> random.nextInt(4) == 0 ? Scope.NONE : scope;
            };
        }

        void restart()
        {
            testing.restart(testing.config().toBuilder().indexMemoryBytes(indexMemoryBytes(random)).build());
            testing.check();
            if (diskFailed) {
                // its journal may still have been failing
                comeBack();
            }
        }

        /** Pages that were invalidated just before the end of a process may be present again. */
        private void comeBack()
        {
            widen(written, everWritten);
            widen(writtenSinceInvalidated, everWritten);
            testing.check();
            damaged = true;
        }

        private static void widen(Map<PageKey, BitSet> target, Map<PageKey, BitSet> source)
        {
            source.forEach((key, granules) -> target.put(key, (BitSet) granules.clone()));
        }

        private void forget(PageKey key)
        {
            written.remove(key);
            writtenSinceInvalidated.remove(key);
        }

        private void breakDisk()
        {
            faulty = true;
            diskFailed = true;
            damaged = true;
            double share = random.nextDouble();
            Path base = random.nextBoolean() ? TestingStore.A : TestingStore.B;
            DeviceOutcome outcome = any(random, DeviceOutcome.values());
            DeviceOutcome fault = switch (outcome) {
                case OK, INTERRUPTED, CLOSED -> DeviceOutcome.IO_ERROR;
                default -> outcome;
            };
            Random dice = new Random(random.nextLong());
            testing.device().setFault((operation, path) -> {
                synchronized (dice) {
                    boolean hit = path.startsWith(base) && operation != Operation.LOCK && dice.nextDouble() < share;
                    return hit ? fault : DeviceOutcome.OK;
                }
            });
        }

        void heal()
        {
            testing.device().heal();
            testing.store().tend();
            testing.store().tend();
            assertThat(testing.store().stats().currentQuarantinedDirectories()).isZero();
            if (faulty) {
                // a directory came back with the pages in its journal, except those that were invalidated
                faulty = false;
                widen(written, writtenSinceInvalidated);
            }
        }

        private void write(PageKey key)
        {
            int granules = (length(key) + granuleBytes() - 1) / granuleBytes();
            int first = random.nextBoolean() ? 0 : random.nextInt(granules);
            int last = random.nextBoolean() ? granules : first + 1 + random.nextInt(granules - first);
            int start = first * granuleBytes();
            int end = Math.min(length(key), last * granuleBytes());
            byte[] content = TestingStore.content(key, length(key));
            Scope scope = scope(key);
            scopes.put(key, scope);
            StorageClass storageClass = random.nextInt(5) == 0 ? StorageClass.FOOTER : StorageClass.DATA;
            WriteOutcome outcome = testing.store().write(
                    key,
                    new PageTags(scope, storageClass),
                    length(key),
                    start,
                    ByteBuffer.wrap(content, start, end - start),
                    testing.store().epoch());
            assertThat(outcome).isNotEqualTo(WriteOutcome.STALE);
            written.computeIfAbsent(key, unused -> new BitSet()).set(first, last);
            writtenSinceInvalidated.computeIfAbsent(key, unused -> new BitSet()).set(first, last);
            everWritten.computeIfAbsent(key, unused -> new BitSet()).set(first, last);
            if (!faulty) {
                assertThat(outcome).isIn(WriteOutcome.STORED, WriteOutcome.DECLINED);
                if (outcome == WriteOutcome.STORED) {
                    // a slot that a process gave to another page just before its end counts as stored until a read finds the mismatch
                    ReadOutcome outcomeOfRead = read(key, start, end);
                    assertThat(outcomeOfRead).isEqualTo(damaged && outcomeOfRead == ReadOutcome.CORRUPT ? ReadOutcome.CORRUPT : ReadOutcome.HIT);
                }
            }
        }

        private void read(PageKey key)
        {
            int start = random.nextInt(length(key));
            ReadOutcome outcome = read(key, start, start + random.nextInt(length(key) - start) + 1);
            if (!faulty) {
                assertThat(outcome).isIn(ReadOutcome.HIT, ReadOutcome.MISS, ReadOutcome.CORRUPT);
            }
        }

        private ReadOutcome read(PageKey key, int start, int end)
        {
            ByteBuffer target = random.nextBoolean() ? ByteBuffer.allocate(end - start) : ByteBuffer.allocateDirect(end - start);
            ReadOutcome outcome = testing.store().read(key, start, target);
            assertThat(target.position()).isEqualTo(outcome == ReadOutcome.HIT ? end - start : 0);
            if (outcome == ReadOutcome.HIT) {
                assertThat(target.flip()).isEqualTo(ByteBuffer.wrap(TestingStore.content(key, length(key)), start, end - start));
                BitSet granules = written.getOrDefault(key, new BitSet());
                assertThat(granules.nextClearBit(start / granuleBytes()) * granuleBytes()).as("granules of %s", key).isGreaterThanOrEqualTo(end);
            }
            return outcome;
        }

        void checkAll()
        {
            for (PageKey key : keys) {
                ReadOutcome outcome = read(key, 0, length(key));
                assertThat(outcome).isIn(ReadOutcome.HIT, ReadOutcome.MISS, ReadOutcome.CORRUPT);
                long present = testing.store().presentGranules(key, 0);
                BitSet granules = written.getOrDefault(key, new BitSet());
                for (int granule = 0; granule < Long.SIZE; granule++) {
                    assertThat((present >>> granule & 1) == 1 && !granules.get(granule)).isFalse();
                }
            }
        }
    }
}
