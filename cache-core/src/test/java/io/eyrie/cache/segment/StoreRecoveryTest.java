// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.device.DeviceException;
import io.eyrie.cache.device.DeviceOutcome;
import io.eyrie.cache.device.FaultyDevice.Operation;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.store.PageStoreStats;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.ReadOutcome;
import io.eyrie.cache.store.StorageClass;
import io.eyrie.cache.store.WriteOutcome;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

/** Tests what a store recovers after a restart, a kill, a power loss, and damage to any of its files. */
final class StoreRecoveryTest
{
    private final TestingStore testing = new TestingStore();

    @AfterEach
    void close()
    {
        testing.check();
        testing.close();
    }

    private void fill(int pages)
    {
        for (int page = 0; page < pages; page++) {
            assertThat(testing.write(TestingStore.key(1, page))).isEqualTo(WriteOutcome.STORED);
        }
    }

    @Test
    void restartFindsEverything()
    {
        fill(10);
        testing.restart();
        assertThat(testing.hits(1, 10)).isEqualTo(10);
        assertThat(testing.store().stats().currentPages()).isEqualTo(10);
    }

    @Test
    void restartListsNoMoreThanTwoFoldersAndReadsNoSegment()
    {
        fill(10);
        AtomicInteger lists = new AtomicInteger();
        testing.store().close();
        testing.device().setFault((operation, path) -> {
            if (operation == Operation.LIST && !path.endsWith(StoreContext.JOURNAL)) {
                lists.incrementAndGet();
            }
            assertThat(operation == Operation.READ && path.toString().endsWith(".segment")).isFalse();
            return DeviceOutcome.OK;
        });
        testing.restart();
        testing.device().heal();
        assertThat(lists).hasValueLessThanOrEqualTo(2);
        assertThat(testing.hits(1, 10)).isEqualTo(10);
    }

    @Test
    void smallerCapacityAtRestartKeepsWhatFits()
    {
        fill(10);
        testing.restart(testing.config().toBuilder().capacityBytes(4 * TestingStore.SLOT).build());
        assertThat(testing.hits(1, 10)).isEqualTo(4);
    }

    @Test
    void quotasSurviveRestart()
    {
        Scope scope = new Scope("hive", "web", "", "");
        testing.setQuota(scope, 5 * TestingStore.SLOT);
        testing.setQuota(Scope.NONE, 12 * TestingStore.SLOT);
        testing.removeQuota(Scope.NONE);
        testing.restart();
        assertThat(testing.store().quotas()).isEqualTo(Map.of(scope, 5L * TestingStore.SLOT));
        fill(9);
        assertThat(testing.hits(1, 9)).isEqualTo(5);
    }

    @Test
    void manyQuotasAreSetInOneStep()
    {
        testing.setQuota(TestingStore.TAGS.scope(), TestingStore.SLOT);
        PageTable table = requireNonNull(testing.store().directories().get(0).table());
        long before = table.quotasVersion();
        Map<Scope, Long> quotas = IntStream.range(0, 60).boxed().collect(toMap(i -> new Scope("hive", "web", "table" + i, ""), i -> 1L << i));
        testing.store().setQuotas(scope -> true, quotas);
        assertThat(table.quotasVersion()).as("each step regroups all pages").isEqualTo(before + 1);
        testing.restart();
        assertThat(testing.store().quotas()).isEqualTo(quotas);
    }

    @Test
    void pagesAgeOverRestarts()
    {
        testing.restart(testing.config().toBuilder().ttlMillis(60_000).build());
        fill(3);
        testing.clockMillis.addAndGet(40_000);
        assertThat(testing.write(TestingStore.key(2, 0))).isEqualTo(WriteOutcome.STORED);
        testing.restart();
        assertThat(testing.hits(1, 3)).isEqualTo(3);
        testing.clockMillis.addAndGet(20_000);
        assertThat(testing.hits(1, 3)).isZero();
        assertThat(testing.hits(2, 1)).isEqualTo(1);
        testing.restart();
        assertThat(testing.store().stats().currentPages()).isEqualTo(1);
        testing.clockMillis.addAndGet(40_000);
        testing.store().tend();
        assertThat(testing.store().stats().currentPages()).isZero();
        assertThat(testing.store().stats().currentBytes()).isZero();
    }

    @Test
    void invalidationsSurviveRestart()
    {
        fill(3);
        PageTags other = new PageTags(new Scope("hive", "web", "views", ""), StorageClass.DATA);
        assertThat(testing.write(TestingStore.key(2, 0), other)).isEqualTo(WriteOutcome.STORED);
        assertThat(testing.write(TestingStore.key(3, 0), other)).isEqualTo(WriteOutcome.STORED);
        testing.store().invalidateFile(TestingStore.key(3, 0));
        testing.store().invalidate(TestingStore.TAGS.scope());
        testing.restart();
        assertThat(testing.hits(1, 3)).isZero();
        assertThat(testing.hits(2, 1)).isEqualTo(1);
        assertThat(testing.hits(3, 1)).isZero();
        fill(3);
        testing.restart();
        assertThat(testing.hits(1, 3)).isEqualTo(3);
    }

    @Test
    void otherGranuleSizeDropsAndStartsAnew()
    {
        fill(3);
        testing.restart(testing.config().toBuilder().granuleSizeBytes(1024).build());
        assertThat(testing.hits(1, 3)).isZero();
        assertThat(testing.store().stats().incompatibleDrops()).isPositive();
        fill(3);
        assertThat(testing.hits(1, 3)).isEqualTo(3);
    }

    @Test
    void pageFilesOfEarlierVersionsAreDropped()
            throws DeviceException
    {
        testing.store().close();
        Path folder = TestingStore.A.resolve("pages-v1-1048576");
        Path shard = folder.resolve("ab");
        Path old = shard.resolve("abcd-0");
        testing.device().createDirectory(folder);
        testing.device().createDirectory(shard);
        testing.device().setContent(old, new byte[100]);
        testing.restart();
        assertThat(testing.device().files()).doesNotContain(old);
        assertThat(testing.store().stats().incompatibleDrops()).isEqualTo(1);
    }

    @Test
    void segmentsOfTheEarlierVersionAreDropped()
            throws DeviceException
    {
        fill(3);
        testing.store().close();
        Path earlier = TestingStore.A.resolve("segments-v2");
        testing.device().createDirectory(earlier);
        testing.device().createDirectory(earlier.resolve(StoreContext.JOURNAL));
        Path current = TestingStore.A.resolve(StoreDirectory.FOLDER);
        List<Path> files = testing.device().files().stream().filter(file -> file.startsWith(current)).toList();
        for (Path file : files) {
            testing.device().setContent(earlier.resolve(current.relativize(file)), testing.device().content(file));
            testing.device().delete(file);
        }
        testing.restart();
        assertThat(testing.device().files()).noneMatch(file -> file.startsWith(earlier));
        assertThat(testing.store().stats().incompatibleDrops()).isEqualTo(files.size());
        assertThat(testing.hits(1, 3)).isZero();
        fill(3);
        testing.restart();
        assertThat(testing.hits(1, 3)).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void everyDamageOfAnyFileIsAMissThatIsCounted(boolean encrypted)
    {
        if (encrypted) {
            testing.restart(testing.config().toBuilder().encryptionKey(Optional.of(TestingStore.encryptionKey())).build());
        }
        int rounds = Boolean.getBoolean("eyrie.stress") ? 20_000 : 300;
        for (int round = 0; round < rounds; round++) {
            fill(6);
            // sometimes a snapshot, next to the logs
            if (round % 3 == 0) {
                testing.restart();
                fill(8);
            }
            // with logs next to it, as a killed process leaves
            boolean logs = round % 3 > 0;
            testing.device().setFault((operation, path) -> logs && path.toString().endsWith(".tmp") ? DeviceOutcome.IO_ERROR : DeviceOutcome.OK);
            testing.store().close();
            testing.device().heal();
            Random random = new Random(round);
            PageStoreStats before = testing.store().stats();
            boolean cut = damage(random);
            testing.restart();
            PageStoreStats after = testing.store().stats();
            int hits = 0;
            int corruptions = 0;
            for (int page = 0; page < 6; page++) {
                ReadOutcome outcome = testing.read(TestingStore.key(1, page));
                assertThat(outcome).as("round %s", round).isIn(ReadOutcome.HIT, ReadOutcome.MISS, ReadOutcome.CORRUPT);
                hits += outcome == ReadOutcome.HIT ? 1 : 0;
                corruptions += outcome == ReadOutcome.CORRUPT ? 1 : 0;
            }
            // a log that ends after a whole frame cannot be distinguished from an earlier state of the log
            assertThat(hits == 6 || cut || corruptions > 0 || after.recoveryDrops() > 0 || after.incompatibleDrops() > 0)
                    .as("round %s: %s, %s", round, before, after)
                    .isTrue();
            assertThat(after.currentQuarantinedDirectories()).isZero();
            testing.check();
            testing.store().invalidate(Scope.NONE);
        }
    }

    /** Damages some files. Returns whether one was truncated, replaced or deleted, so that the loss cannot be detected. */
    private boolean damage(Random random)
    {
        boolean cut = false;
        List<Path> files = testing.device().files();
        for (Path file : files) {
            byte[] content = testing.device().content(file);
            if (content.length == 0 || random.nextInt(3) > 0) {
                continue;
            }
            int from = random.nextInt(content.length);
            int length = random.nextInt(Math.min(5000, content.length - from) + 1);
            switch (random.nextInt(7)) {
                case 0 -> content[from] ^= (byte) (1 << random.nextInt(8));
                case 1 -> {
                    content = Arrays.copyOf(content, from);
                    cut = true;
                }
                case 2 -> {
                    byte[] junk = new byte[length];
                    random.nextBytes(junk);
                    System.arraycopy(junk, 0, content, from, length);
                }
                // zeros, as from a file system that lost a block
                case 3 -> Arrays.fill(content, from, from + length, (byte) 0);
                // a misdirected write
                case 4 -> System.arraycopy(content, 0, content, from, length);
                case 5 -> {
                    content = testing.device().content(files.get(random.nextInt(files.size())));
                    cut = true;
                }
                default -> content = Arrays.copyOf(content, content.length + random.nextInt(10_000));
            }
            testing.device().setContent(file, content);
        }
        return cut;
    }

    @Test
    void powerLossAtEveryStepLeavesNoWrongByte()
    {
        for (long step = 0; step < 120; step++) {
            testing.device().failAfter(step);
            for (int page = 0; page < 20; page++) {
                testing.write(TestingStore.key(1, page));
            }
            testing.device().heal();
            testing.losePower(step);
            assertThat(testing.hits(1, 20)).isBetween(0, 20);
            testing.store().tend();
            assertThat(testing.store().stats().currentQuarantinedDirectories()).isZero();
            fill(5);
            assertThat(testing.hits(1, 5)).isEqualTo(5);
            testing.check();
        }
    }
}
