// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.inspection;

import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.crypt.GranuleCipher;
import io.eyrie.cache.crypt.KeyRing;
import io.eyrie.cache.device.DeviceOutcome;
import io.eyrie.cache.device.FaultyDevice;
import io.eyrie.cache.device.FaultyDevice.Operation;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.segment.StoreState;
import io.eyrie.cache.segment.TestingStore;
import io.eyrie.cache.store.PageKey;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.ReadOutcome;
import io.eyrie.cache.store.StorageClass;
import io.eyrie.cache.store.WriteOutcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Tests an inspection of a directory by another process: what it sees, the damage that it finds, and that it changes nothing. */
final class StoreInspectionTest
{
    private static final Path FOLDER = StoreState.folder(TestingStore.A);
    private static final int HEADERS = 4096;
    /** Where the first slot of a segment starts; its headers are just before it. */
    private static final int FIRST_SLOT = 8192;
    private static final Set<Operation> READS = EnumSet.of(Operation.OPEN, Operation.READ, Operation.LIST, Operation.MEASURE);

    private static TestingStore store(boolean encrypted)
    {
        // segments of 16 slots
        return store(encrypted, 4096);
    }

    private static TestingStore store(boolean encrypted, long slots)
    {
        PageCacheConfig.Builder config = TestingStore.config(TestingStore.A).capacityBytes(slots * TestingStore.SLOT);
        return new TestingStore(encrypted ? config.encryptionKey(Optional.of(TestingStore.encryptionKey())).build() : config.build());
    }

    private static Optional<KeyRing> keys(TestingStore testing)
    {
        return KeyRing.load(testing.config());
    }

    private static StoreInspection open(TestingStore testing)
            throws IOException
    {
        return StoreInspection.open(testing.device(), TestingStore.A, keys(testing));
    }

    private static Verification verify(TestingStore testing, Runnable beforeSecondLook)
            throws IOException
    {
        return new StoreVerifier(() -> open(testing)).run(beforeSecondLook, bytes -> {});
    }

    private static Verification verify(TestingStore testing)
            throws IOException
    {
        return verify(testing, () -> {});
    }

    private static void fill(TestingStore testing, int file, int pages)
    {
        for (int page = 0; page < pages; page++) {
            assertThat(testing.write(TestingStore.key(file, page))).isEqualTo(WriteOutcome.STORED);
        }
    }

    private static List<StoredPage> pages(StoreInspection store)
    {
        List<StoredPage> pages = new ArrayList<>();
        store.forEachPage(pages::add);
        return pages;
    }

    private static Path segment(TestingStore testing)
    {
        return testing.device().files().stream().filter(path -> path.toString().endsWith(".segment")).findFirst().orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void everyPageIsSeenWithItsTags(boolean encrypted)
            throws IOException
    {
        PageTags footer = new PageTags(new Scope("hive", "web", "views", ""), StorageClass.FOOTER);
        try (TestingStore testing = store(encrypted)) {
            fill(testing, 1, 3);
            PageKey incomplete = TestingStore.key(2, 5);
            byte[] content = TestingStore.content(incomplete, 700);
            ByteBuffer second = ByteBuffer.wrap(content, 512, 188);
            assertThat(testing.store().write(incomplete, footer, 700, 512, second, testing.store().epoch())).isEqualTo(WriteOutcome.STORED);
            testing.store().close();

            try (StoreInspection store = open(testing)) {
                assertThat(pages(store)).hasSize(4)
                        .filteredOn(page -> page.tags().equals(TestingStore.TAGS))
                        .hasSize(3)
                        .allMatch(page -> page.lengthBytes() == TestingStore.PAGE && page.cachedBytes() == TestingStore.PAGE);
                assertThat(pages(store)).filteredOn(page -> page.tags().equals(footer))
                        .singleElement()
                        .matches(page -> page.lengthBytes() == 700 && page.cachedBytes() == 188);
                assertThat(store.isEncrypted()).isEqualTo(encrypted);
                assertThat(store.pageSizeBytes()).isEqualTo(TestingStore.PAGE);
                assertThat(store.granuleSizeBytes()).isEqualTo(TestingStore.GRANULE);
                assertThat(store.recovery().whole()).isTrue();
                assertThat(store.segments()).allMatch(segment -> segment.fileBytes().isPresent());
                assertThat(store.strays()).isEmpty();
                assertThat(store.deadPages()).isZero();
            }
            Verification found = verify(testing);
            assertThat(found.isGood()).isTrue();
            assertThat(found.pages()).isEqualTo(4);
            assertThat(found.granules()).isEqualTo(3 * 8 + 1);
        }
    }

    @Test
    void invalidPagesAreNotSeen()
            throws IOException
    {
        try (TestingStore testing = store(false)) {
            fill(testing, 1, 3);
            PageTags other = new PageTags(new Scope("hive", "web", "views", ""), StorageClass.DATA);
            assertThat(testing.write(TestingStore.key(2, 0), other)).isEqualTo(WriteOutcome.STORED);
            assertThat(testing.write(TestingStore.key(3, 0), other)).isEqualTo(WriteOutcome.STORED);
            testing.store().invalidateFile(TestingStore.key(3, 0));
            testing.store().invalidate(TestingStore.TAGS.scope());
            testing.store().close();
            try (StoreInspection store = open(testing)) {
                assertThat(pages(store)).singleElement().matches(page -> page.tags().equals(other));
            }
            assertThat(verify(testing).pages()).isEqualTo(1);
        }
    }

    private static Map<Path, ByteBuffer> contents(TestingStore testing)
    {
        Map<Path, ByteBuffer> contents = new HashMap<>();
        testing.device().contents().forEach((path, bytes) -> contents.put(path, ByteBuffer.wrap(bytes)));
        return contents;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nothingIsChanged(boolean encrypted)
            throws IOException
    {
        try (TestingStore testing = store(encrypted)) {
            fill(testing, 1, 10);
            testing.store().close();
            Map<Path, ByteBuffer> before = contents(testing);
            testing.device().setFault((operation, path) -> {
                assertThat(READS).contains(operation);
                return DeviceOutcome.OK;
            });
            assertThat(verify(testing).isGood()).isTrue();
            testing.device().heal();
            assertThat(contents(testing)).isEqualTo(before);
        }
    }

    /** What the frames of a page take. */
    private static int framesBytes(boolean encrypted)
    {
        int granules = TestingStore.PAGE / TestingStore.GRANULE;
        return TestingStore.PAGE + granules * (encrypted ? GranuleCipher.OVERHEAD_BYTES : 8 * Long.BYTES);
    }

    /** The bytes of a slot's header. */
    private static int headerBytes(boolean encrypted)
    {
        return 3 * Long.BYTES + (encrypted ? GranuleCipher.OVERHEAD_BYTES : 0);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anyByteThatIsTurnedIsFound(boolean encrypted)
            throws IOException
    {
        try (TestingStore testing = store(encrypted)) {
            fill(testing, 1, 10);
            testing.store().close();
            Path segment = segment(testing);
            SplittableRandom random = new SplittableRandom(1);
            for (int i = 0; i < 200; i++) {
                int slot = random.nextInt((testing.device().content(segment).length - FIRST_SLOT + TestingStore.SLOT - 1) / TestingStore.SLOT);
                boolean inHeader = random.nextInt(4) == 0;
                int start = FIRST_SLOT + slot * TestingStore.SLOT;
                int position = inHeader
                        ? FIRST_SLOT - HEADERS + slot * headerBytes(encrypted) + random.nextInt(headerBytes(encrypted))
                        : start + random.nextInt(framesBytes(encrypted));
                int mask = 1 << random.nextInt(8);
                testing.device().flip(segment, position, mask);
                Verification found = verify(testing);
                assertThat(found.isGood()).isFalse();
                assertThat(found.damages()).singleElement()
                        .matches(damage -> damage.file().equals(segment) && damage.offsetBytes() == start)
                        .matches(damage -> damage.granules() == (inHeader ? 8 : 1) && damage.scope().equals(TestingStore.TAGS.scope()));
                testing.device().flip(segment, position, mask);
            }
            assertThat(verify(testing).isGood()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void pageThatIsZerosOrOlder(boolean encrypted)
            throws IOException
    {
        try (TestingStore testing = store(encrypted)) {
            fill(testing, 1, 10);
            testing.store().close();
            Path segment = segment(testing);
            byte[] content = testing.device().content(segment);
            byte[] zeros = content.clone();
            Arrays.fill(zeros, FIRST_SLOT + TestingStore.SLOT, FIRST_SLOT + 2 * TestingStore.SLOT, (byte) 0);
            testing.device().setContent(segment, zeros);
            assertThat(verify(testing).damages()).singleElement().matches(damage -> damage.granules() == 8);

            byte[] mixed = content.clone();
            System.arraycopy(content, FIRST_SLOT, mixed, FIRST_SLOT + TestingStore.SLOT, TestingStore.SLOT / 4);
            testing.device().setContent(segment, mixed);
            assertThat(verify(testing).damages()).singleElement().matches(damage -> damage.offsetBytes() == FIRST_SLOT + TestingStore.SLOT);
        }
    }

    private static void write(TestingStore testing, PageKey key, int lengthBytes)
    {
        ByteBuffer content = ByteBuffer.wrap(TestingStore.content(key, lengthBytes));
        assertThat(testing.store().write(key, TestingStore.TAGS, lengthBytes, 0, content, testing.store().epoch())).isEqualTo(WriteOutcome.STORED);
    }

    /** Copies valid frames, and then also the header, of one page to the slot of another. A page of 60 bytes has one frame. */
    @ParameterizedTest
    @CsvSource({"false, 4096", "true, 4096", "false, 60", "true, 60"})
    void anotherPageInASlotIsFound(boolean encrypted, int lengthBytes)
            throws IOException
    {
        try (TestingStore testing = store(encrypted)) {
            write(testing, TestingStore.key(1, 0), lengthBytes);
            write(testing, TestingStore.key(1, 1), lengthBytes);
            testing.store().close();
            assertThat(verify(testing).isGood()).isTrue();
            // also where the first slot starts
            int slotBytes = lengthBytes == 60 ? 4096 : TestingStore.SLOT;
            int granules = lengthBytes == 60 ? 1 : 8;
            Path segment = segment(testing);
            byte[] content = testing.device().content(segment);
            System.arraycopy(content, slotBytes, content, 2 * slotBytes, content.length - 2 * slotBytes);
            testing.device().setContent(segment, content);
            assertThat(verify(testing).damages()).singleElement()
                    .matches(damage -> damage.offsetBytes() == 2L * slotBytes && damage.granules() == granules)
                    .matches(damage -> damage.what().equals("its bytes do not verify"));

            System.arraycopy(content, slotBytes - HEADERS, content, slotBytes - HEADERS + headerBytes(encrypted), headerBytes(encrypted));
            testing.device().setContent(segment, content);
            assertThat(verify(testing).damages()).singleElement()
                    .matches(damage -> damage.offsetBytes() == 2L * slotBytes && damage.granules() == granules)
                    .matches(damage -> damage.what().equals("its slot's header does not name it"));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void pageOfOneFrameIsChecked(boolean encrypted)
            throws IOException
    {
        try (TestingStore testing = store(encrypted)) {
            write(testing, TestingStore.key(1, 0), 60);
            testing.store().close();
            assertThat(verify(testing).isGood()).isTrue();
            testing.device().flip(segment(testing), HEADERS + 30, 1);
            assertThat(verify(testing).damages()).singleElement().matches(damage -> damage.granules() == 1);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void slotsBehindEveryBlockOfHeaders(boolean encrypted)
            throws IOException
    {
        int pages = 3 * (HEADERS / headerBytes(encrypted)) - 1;
        // segments of 600 slots
        try (TestingStore testing = store(encrypted, 256 * 600)) {
            fill(testing, 1, pages);
            testing.restart();
            fill(testing, 2, 1);
            testing.store().close();
            assertThat(testing.device().content(segment(testing)).length).isEqualTo(
                    FIRST_SLOT + 2 * HEADERS + pages * TestingStore.SLOT + framesBytes(encrypted));
            assertThat(verify(testing).pages()).isEqualTo(pages + 1);
            assertThat(verify(testing).isGood()).isTrue();
            testing.restart();
            for (int page = 0; page < pages; page++) {
                assertThat(testing.read(TestingStore.key(1, page))).isEqualTo(ReadOutcome.HIT);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void encryptedHeaderHidesTheKey(boolean encrypted)
    {
        try (TestingStore testing = store(encrypted)) {
            fill(testing, 1, 1);
            PageKey key = TestingStore.key(1, 0);
            ByteBuffer content = ByteBuffer.wrap(testing.device().content(segment(testing)));
            List<Long> words = IntStream.rangeClosed(0, headerBytes(encrypted) - Long.BYTES)
                    .mapToObj(i -> content.getLong(FIRST_SLOT - HEADERS + i)).toList();
            assertThat(words.contains(key.hashHigh())).isEqualTo(!encrypted);
            assertThat(words.contains(key.hashLow())).isEqualTo(!encrypted);
        }
    }

    @Test
    void pageThatLeavesMeanwhileIsNoDamage()
            throws IOException
    {
        try (TestingStore testing = store(false)) {
            fill(testing, 1, 3);
            testing.device().flip(segment(testing), FIRST_SLOT + 100, 1);
            // opens the changed file
            testing.restart();
            Verification found = verify(testing, () -> {
                assertThat(testing.read(TestingStore.key(1, 0))).isEqualTo(ReadOutcome.CORRUPT);
                testing.store().close();
            });
            assertThat(found.isGood()).isTrue();
            assertThat(found.changedPages()).isEqualTo(1);
        }
    }

    @Test
    void segmentFilesThatAreMissingTooLongOrTooMany()
            throws IOException
    {
        try (TestingStore testing = store(false)) {
            fill(testing, 1, 3);
            testing.store().close();
            Path segment = segment(testing);
            byte[] content = testing.device().content(segment);
            testing.device().setContent(segment, new byte[1 << 20]);
            assertThat(verify(testing).brokenFiles()).singleElement().matches(broken -> broken.what().contains("longer than its slots"));

            testing.device().delete(segment);
            Path stray = FOLDER.resolve("005-abc.segment");
            testing.device().setContent(stray, content);
            Verification found = verify(testing);
            assertThat(found.brokenFiles()).singleElement().matches(broken -> broken.file().equals(segment) && broken.what().equals("it is missing"));
            assertThat(found.damages()).hasSize(3).allMatch(damage -> damage.what().equals("its segment's file is missing"));
            try (StoreInspection store = open(testing)) {
                assertThat(store.strays()).containsExactly(stray);
            }
        }
    }

    @Test
    void journalFileThatItsOwnerReplacesMeanwhile()
            throws IOException
    {
        try (TestingStore testing = store(false)) {
            fill(testing, 1, 3);
            testing.store().close();
            AtomicInteger opened = new AtomicInteger();
            testing.device().setFault((operation, path) -> operation == Operation.OPEN && path.startsWith(StoreState.journal(FOLDER))
                    && opened.incrementAndGet() % 4 == 2 && opened.get() < 20 ? DeviceOutcome.MISSING : DeviceOutcome.OK);
            try (StoreInspection store = open(testing)) {
                assertThat(pages(store)).hasSize(3);
            }
            testing.device().heal();
        }
    }

    @Test
    void storeThatWasKilledOrLostPower()
            throws IOException
    {
        try (TestingStore testing = store(false)) {
            fill(testing, 1, 10);
            FaultyDevice killed = testing.device().kill();
            Verification found = new StoreVerifier(() -> StoreInspection.open(killed, TestingStore.A, Optional.empty())).run(() -> {}, bytes -> {});
            assertThat(found.isGood()).isTrue();
            assertThat(found.pages()).isLessThanOrEqualTo(10);
        }
    }

    @Test
    void directoriesThatCannotBeRead()
            throws IOException
    {
        FaultyDevice empty = new FaultyDevice(1 << 30, TestingStore.A);
        assertThatThrownBy(() -> StoreInspection.open(empty, TestingStore.A, Optional.empty())).hasMessageContaining(
                "there is no folder segments-v4");
        assertThatThrownBy(() -> StoreInspection.open(empty, TestingStore.B, Optional.empty())).hasMessageContaining("There is no directory");
        empty.createDirectory(FOLDER);
        try (StoreInspection store = StoreInspection.open(empty, TestingStore.A, Optional.empty())) {
            assertThat(pages(store)).isEmpty();
        }
        try (TestingStore testing = store(true)) {
            fill(testing, 1, 3);
            testing.store().close();
            assertThatThrownBy(() -> StoreInspection.open(testing.device(), TestingStore.A, Optional.empty())).hasMessageContaining("is encrypted");
            testing.device().setFault((operation, path) -> path.startsWith(FOLDER) ? DeviceOutcome.DENIED : DeviceOutcome.OK);
            assertThatThrownBy(() -> open(testing)).hasMessageContaining("This user may not read " + TestingStore.A);
            testing.device().heal();
        }
    }
}
