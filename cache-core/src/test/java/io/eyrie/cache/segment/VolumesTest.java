// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.config.ConfigException;
import io.eyrie.cache.device.DeviceOutcome;
import io.eyrie.cache.device.FaultyDevice;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.store.PageKey;
import io.eyrie.cache.store.ReadOutcome;
import io.eyrie.cache.store.WriteOutcome;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Tests three volumes of unequal size, one of which is missing or not mounted at a start. */
final class VolumesTest
{
    private static final Path C = Path.of("/disks/c d\n%");
    private static final int PAGES = 600;
    private static final long GIGABYTE = 1L << 30;

    private final TestingStore testing = new TestingStore(TestingStore.config(TestingStore.A, TestingStore.B, C)
            .capacityBytes(4L * PAGES * TestingStore.SLOT)
            .build());

    @BeforeEach
    void setSizes()
    {
        setTotal(100, 400, 1600);
        testing.restart();
    }

    @AfterEach
    void close()
    {
        testing.device().heal();
        testing.close();
    }

    private void setTotal(long a, long b, long c)
    {
        testing.device().setTotalBytes(TestingStore.A, a * GIGABYTE);
        testing.device().setTotalBytes(TestingStore.B, b * GIGABYTE);
        testing.device().setTotalBytes(C, c * GIGABYTE);
    }

    private void take(Path missing)
    {
        testing.device().setFault((operation, path) -> path.startsWith(missing) ? DeviceOutcome.MISSING : DeviceOutcome.OK);
    }

    /** Returns the pages on disks other than this one. */
    private List<PageKey> fillAndGetOthers(int number)
    {
        List<PageKey> others = new ArrayList<>();
        for (int page = 0; page < PAGES; page++) {
            PageKey key = TestingStore.key(1, page);
            assertThat(testing.write(key)).isEqualTo(WriteOutcome.STORED);
            if (testing.store().device(key) != number) {
                others.add(key);
            }
        }
        return others;
    }

    private long hits(List<PageKey> keys)
    {
        return keys.stream().filter(key -> testing.read(key) == ReadOutcome.HIT).count();
    }

    @Test
    void pagesOfTheOthersAreFoundWhicheverIsMissing()
    {
        List<Path> all = List.of(TestingStore.A, TestingStore.B, C);
        for (int number = 0; number < all.size(); number++) {
            List<PageKey> others = fillAndGetOthers(number);
            // every page is in the journals
            testing.restart();
            take(all.get(number));
            testing.restart();
            assertThat(testing.store().stats().currentQuarantinedDirectories()).isOne();
            assertThat(hits(others)).isEqualTo(others.size());
            // again, with the sizes that the start without it wrote
            testing.restart();
            assertThat(hits(others)).isEqualTo(others.size());
            testing.device().heal();
            testing.restart();
            assertThat(hits(others)).isEqualTo(others.size());
            assertThat(testing.hits(1, PAGES)).isEqualTo(PAGES);
        }
    }

    /* Its mount point belongs to root, and is on the smaller disk of the system. */
    @Test
    void volumeThatIsNotMountedIsOutOfService()
    {
        List<PageKey> others = fillAndGetOthers(2);
        testing.restart();
        testing.device().setFault((operation, path) -> path.startsWith(C) && operation != FaultyDevice.Operation.MEASURE
                ? DeviceOutcome.DENIED
                : DeviceOutcome.OK);
        setTotal(100, 400, 10);
        testing.restart();
        assertThat(testing.store().stats().currentQuarantinedDirectories()).isOne();
        assertThat(hits(others)).isEqualTo(others.size());
        setTotal(100, 400, 1600);
        testing.device().heal();
        testing.store().tend();
        assertThat(testing.store().stats().currentQuarantinedDirectories()).isZero();
        assertThat(testing.hits(1, PAGES)).isEqualTo(PAGES);
    }

    @Test
    void startNeedsADirectoryThatMayBeWrittenTo()
    {
        testing.device().setFault((operation, path) -> operation == FaultyDevice.Operation.LOCK ? DeviceOutcome.DENIED : DeviceOutcome.OK);
        assertThatThrownBy(testing::restart).isInstanceOf(ConfigException.class).hasMessageContainingAll("may not write to it", "mount its volume");
        testing.device().heal();
        testing.restart();
    }

    @Test
    void newestOfWhatTheOthersKnowCounts()
    {
        take(TestingStore.A);
        setTotal(100, 400, 3200);
        testing.restart();
        // A still has the old size of C
        testing.device().heal();
        take(C);
        testing.restart();
        // 3,200 of 3,700; with the older 1,600, it would be 76 %
        long onC = IntStream.range(0, PAGES).filter(page -> testing.store().device(TestingStore.key(1, page)) == 2).count();
        assertThat(onC).isBetween(PAGES * 82L / 100, PAGES * 91L / 100);
    }

    @Test
    void directoriesWithDifferentQuotasOfTheSameVersionAgree()
    {
        take(TestingStore.A);
        testing.restart();
        testing.setQuota(TestingStore.TAGS.scope(), TestingStore.SLOT);
        testing.device().setFault((operation, path) -> path.startsWith(TestingStore.A) ? DeviceOutcome.OK : DeviceOutcome.MISSING);
        testing.restart();
        // at the same time of the clock
        testing.setQuota(Scope.NONE, TestingStore.SLOT);
        take(TestingStore.B);
        testing.restart();
        testing.device().heal();
        testing.store().tend();
        assertThat(testing.store().quotas()).hasSize(1);
        for (StoreDirectory directory : testing.store().directories()) {
            assertThat(requireNonNull(directory.table()).quotas()).isEqualTo(testing.store().quotas());
        }
    }

    @Test
    void whatIsDamagedOrCannotBeWrittenCountsAsUnknown()
    {
        List<PageKey> others = fillAndGetOthers(1);
        for (String content : List.of("", "eyrie-volumes 2\n9\n1 %2Fdisks%2Fb\n", "eyrie-volumes 1\nx\n", "eyrie-volumes 1\n9\n-5 %2Fdisks%2Fb\n",
                "eyrie-volumes 1\n9\n5 %ZZ\n")) {
            take(TestingStore.B);
            for (Path directory : List.of(TestingStore.A, C)) {
                testing.device().setContent(directory.resolve(VolumeSizes.FILE_NAME), content.getBytes(StandardCharsets.UTF_8));
            }
            testing.restart();
            // an unknown size counts as the mean
            assertThat(hits(others)).isLessThan(others.size());
            testing.device().setFault((operation, path) -> path.toString().contains(VolumeSizes.FILE_NAME)
                    ? DeviceOutcome.IO_ERROR
                    : DeviceOutcome.OK);
            testing.restart();
            assertThat(testing.store().stats().currentQuarantinedDirectories()).isZero();
            testing.device().heal();
            testing.restart();
            fillAndGetOthers(1);
        }
    }
}
