// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.inspection;

import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.crypt.KeyRing;
import io.eyrie.cache.device.DeviceOutcome;
import io.eyrie.cache.device.FaultyDevice;
import io.eyrie.cache.device.FaultyDevice.Operation;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.segment.Layout;
import io.eyrie.cache.segment.StoreState;
import io.eyrie.cache.segment.TestingStore;
import io.eyrie.cache.store.PageKey;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.ReadOutcome;
import io.eyrie.cache.store.StorageClass;
import io.eyrie.cache.store.WriteOutcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Tests an inspection of a directory by another process: what it sees, the damage that it finds, and that it changes nothing. */
final class StoreInspectionTest
{
    private static final Path FOLDER = StoreState.folder(TestingStore.A);
    private static final Set<Operation> READS = EnumSet.of(Operation.OPEN, Operation.READ, Operation.LIST, Operation.MEASURE);

    private static TestingStore store(boolean encrypted)
    {
        // segments of 16 slots
        PageCacheConfig.Builder config = TestingStore.config(TestingStore.A).capacityBytes(4096L * TestingStore.SLOT);
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
            PageKey part = TestingStore.key(2, 5);
            byte[] content = TestingStore.content(part, 700);
            ByteBuffer second = ByteBuffer.wrap(content, 512, 188);
            assertThat(testing.store().write(part, footer, 700, 512, second, testing.store().epoch())).isEqualTo(WriteOutcome.STORED);
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
    private static int framesBytes(TestingStore testing)
            throws IOException
    {
        try (StoreInspection store = open(testing)) {
            Layout layout = store.layout();
            return TestingStore.PAGE / layout.sectorBytes() * layout.frameBytes();
        }
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
            int framesBytes = framesBytes(testing);
            SplittableRandom random = new SplittableRandom(1);
            for (int i = 0; i < 200; i++) {
                int slot = random.nextInt((testing.device().content(segment).length + TestingStore.SLOT - 1) / TestingStore.SLOT);
                int inSlot = random.nextInt(framesBytes);
                int position = slot * TestingStore.SLOT + inSlot;
                int mask = 1 << random.nextInt(8);
                testing.device().flip(segment, position, mask);
                Verification found = verify(testing);
                assertThat(found.isGood()).isFalse();
                assertThat(found.damages()).singleElement()
                        .matches(damage -> damage.file().equals(segment) && damage.offsetBytes() == (long) position / TestingStore.SLOT
                                * TestingStore.SLOT)
                        .matches(damage -> damage.granules() == 1 && damage.scope().equals(TestingStore.TAGS.scope()));
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
            Arrays.fill(zeros, TestingStore.SLOT, 2 * TestingStore.SLOT, (byte) 0);
            testing.device().setContent(segment, zeros);
            assertThat(verify(testing).damages()).singleElement().matches(damage -> damage.granules() == 8);

            byte[] mixed = content.clone();
            System.arraycopy(content, 0, mixed, TestingStore.SLOT, TestingStore.SLOT / 4);
            testing.device().setContent(segment, mixed);
            assertThat(verify(testing).damages()).singleElement().matches(damage -> damage.offsetBytes() == TestingStore.SLOT);
        }
    }

    @Test
    void anotherPageInItsSlotIsFoundWhereKeysTell()
            throws IOException
    {
        try (TestingStore testing = store(true)) {
            fill(testing, 1, 3);
            testing.store().close();
            Path segment = segment(testing);
            byte[] content = testing.device().content(segment);
            System.arraycopy(content, 0, content, TestingStore.SLOT, TestingStore.SLOT);
            testing.device().setContent(segment, content);
            assertThat(verify(testing).damages()).singleElement().matches(damage -> damage.granules() == 8);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void pageOfOneSectorIsCheckedWhereKeysTell(boolean encrypted)
            throws IOException
    {
        try (TestingStore testing = store(encrypted)) {
            PageKey key = TestingStore.key(1, 0);
            ByteBuffer content = ByteBuffer.wrap(TestingStore.content(key, 60));
            assertThat(testing.store().write(key, TestingStore.TAGS, 60, 0, content, testing.store().epoch())).isEqualTo(WriteOutcome.STORED);
            testing.store().close();
            assertThat(verify(testing).isGood()).isTrue();
            assertThat(verify(testing).uncheckedPages()).isEqualTo(encrypted ? 0 : 1);
            testing.device().flip(segment(testing), 30, 1);
            assertThat(verify(testing).isGood()).isEqualTo(!encrypted);
        }
    }

    @Test
    void pageThatLeavesMeanwhileIsNoDamage()
            throws IOException
    {
        try (TestingStore testing = store(false)) {
            fill(testing, 1, 3);
            testing.device().flip(segment(testing), 100, 1);
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
                "there is no folder segments-v2");
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
