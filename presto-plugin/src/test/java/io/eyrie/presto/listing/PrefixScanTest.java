// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.listing;

import com.amazonaws.services.s3.model.S3ObjectSummary;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

class PrefixScanTest
{
    private static final int PAGE = 1_000;
    private static final int LOADERS = 32;

    private final ExecutorService loaders = Executors.newFixedThreadPool(LOADERS);

    @AfterEach
    void stop()
    {
        loaders.shutdownNow();
    }

    @Test
    void directoriesThatFitOnOnePageAreOneRequest()
            throws Exception
    {
        TestingKeySource store = store(84, 3);
        List<String> asked = directories(84, 1);
        assertThat(plainOf(new PrefixScan(asked), store, asked)).isZero();
        assertThat(store.requests()).isEqualTo(1);
    }

    @Test
    void manyDirectoriesTakeHardlyMoreRequestsThanTheirPages()
            throws Exception
    {
        TestingKeySource store = store(10_000, 1);
        List<String> asked = directories(10_000, 1);
        assertThat(plainOf(new PrefixScan(asked), store, asked)).isLessThan(64);
        assertThat(store.requests()).isBetween(10, 30);
    }

    @Test
    void gapsBetweenDirectoriesAreSkipped()
            throws Exception
    {
        TestingKeySource store = store(10_000, 20);
        List<String> asked = directories(10_000, 7);
        int plain = plainOf(new PrefixScan(asked), store, asked);
        assertThat(store.requests() + plain).isLessThan(asked.size() / 3);
    }

    @Test
    void pagesThatOverlapByChanceEndIt()
            throws Exception
    {
        TestingKeySource store = store(3_000, 100);
        List<String> asked = directories(3_000, 2);
        for (int scan = 0; scan < 20; scan++) {
            int before = store.requests();
            int plain = plainOf(new PrefixScan(asked), store, asked);
            assertThat(store.requests() - before + plain).isLessThan(asked.size() / 3);
        }
    }

    @Test
    void gapsLargerThanAPage()
            throws Exception
    {
        TestingKeySource store = store(3_000, 10);
        List<String> asked = directories(3_000, 150);
        assertThat(plainOf(new PrefixScan(asked), store, asked)).isEqualTo(asked.size() - 1);
        assertThat(store.requests()).isEqualTo(1);
    }

    @Test
    void directoriesLargerThanAPageCostOneRequestMore()
            throws Exception
    {
        TestingKeySource store = store(20, 1_500);
        List<String> asked = directories(20, 1);
        assertThat(plainOf(new PrefixScan(asked), store, asked)).isEqualTo(20);
        assertThat(store.requests()).isEqualTo(1);
    }

    @Test
    void oneDirectoryLargerThanAPageAmongSmallOnes()
            throws Exception
    {
        List<String> keys = keys(200, 20);
        IntStream.range(0, 5_000).forEach(file -> keys.add(directory(100) + "large" + file));
        TestingKeySource store = new TestingKeySource(PAGE, keys);
        List<String> asked = directories(200, 1);
        PrefixScan scan = new PrefixScan(asked);
        int plain = 0;
        for (String directory : asked) {
            plain += scan.objectsUnder(directory, store).isPresent() ? 0 : 1;
        }
        assertThat(plain).isEqualTo(1);
        assertThat(store.requests()).isLessThan(12);
    }

    @Test
    void scanThatHoldsAllTheObjectsThatItMay()
    {
        TestingKeySource store = store(3_000, 10);
        PrefixScan scan = new PrefixScan(directories(3_000, 1));
        int next = 0;
        while (scan.objectsUnder(directory(next), store).isPresent()) {
            next += 100;
        }
        assertThat(store.requests()).as("pages of a thousand objects").isBetween(16, 17);
        assertThat(scan.isFull()).isTrue();
        for (int i = 1; i < 300; i++) {
            scan.objectsUnder(directory(i), store);
        }
        assertThat(scan.isFull()).isFalse();
        assertThat(scan.objectsUnder(directory(next + 100), store)).as("room again").isPresent();
    }

    @Test
    void descendingOrder()
    {
        TestingKeySource store = store(500, 10);
        List<String> asked = directories(500, 1);
        PrefixScan scan = new PrefixScan(asked);
        int plain = 0;
        for (int i = asked.size() - 1; i >= 0; i--) {
            plain += scan.objectsUnder(asked.get(i), store).isPresent() ? 0 : 1;
        }
        assertThat(plain + store.requests()).isLessThan(asked.size());
    }

    @Test
    void directoriesThatNobodyAsksForAreNotFetched()
    {
        TestingKeySource store = store(10_000, 10);
        PrefixScan scan = new PrefixScan(directories(10_000, 1));
        for (String directory : directories(20, 1)) {
            assertThat(scan.objectsUnder(directory, store)).isPresent();
        }
        assertThat(store.requests()).isEqualTo(1);
    }

    @Test
    void objectsHeldForNobodyHaveABound()
            throws Exception
    {
        TestingKeySource store = store(2_000, 100);
        PrefixScan scan = new PrefixScan(directories(10_000, 1));
        plainOf(scan, store, directories(LOADERS, 1));
        assertThat(store.requests()).isBetween(2, 18);
    }

    @Test
    void pageThatFails()
            throws Exception
    {
        AtomicInteger requests = new AtomicInteger();
        PageSource failing = after -> {
            requests.incrementAndGet();
            return Optional.empty();
        };
        List<String> asked = directories(84, 1);
        assertThat(plainOf(new PrefixScan(asked), failing, asked)).isEqualTo(84);
        assertThat(requests).hasValue(1);
    }

    @Test
    void pageThatFailsLater()
            throws Exception
    {
        TestingKeySource store = store(500, 20);
        PageSource failing = after -> store.requests() == 0 ? store.fetch(after) : Optional.empty();
        List<String> asked = directories(500, 1);
        int plain = plainOf(new PrefixScan(asked), failing, asked);
        assertThat(plain).isEqualTo(500 - PAGE / 20 + 1); // the page's last directory may have more
    }

    @Test
    void pageThatThrows()
    {
        PrefixScan scan = new PrefixScan(directories(84, 1));
        PageSource throwing = after -> {
            throw new OutOfMemoryError("thrown by a test");
        };
        try {
            scan.objectsUnder(directory(0), throwing);
        }
        catch (OutOfMemoryError e) {
            assertThat(e).hasMessage("thrown by a test");
        }
        assertThat(scan.objectsUnder(directory(1), throwing)).as("not waited for").isEmpty();
    }

    @Test
    void pageThatHangsHoldsNobodyUpForLong()
            throws Exception
    {
        TestingKeySource store = store(84, 1);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch hanging = new CountDownLatch(1);
        PrefixScan scan = new PrefixScan(directories(84, 1), TimeUnit.MILLISECONDS.toNanos(50));
        Future<Optional<List<S3ObjectSummary>>> first = loaders.submit(() -> scan.objectsUnder(directory(0), after -> {
            begun.countDown();
            return isOpened(hanging) ? store.fetch(after) : Optional.empty();
        }));
        begun.await();
        assertThat(scan.objectsUnder(directory(1), store)).isEmpty();
        assertThat(scan.objectsUnder(directory(2), store)).isEmpty();
        hanging.countDown();
        assertThat(first.get()).isPresent();
        assertThat(scan.objectsUnder(directory(3), store)).as("what came late").isPresent();
        assertThat(store.requests()).isEqualTo(1);
    }

    /* The second page is answered only after the fifth was requested. */
    @Test
    void pagesOfFewDirectoriesAreFetchedAtATime()
            throws Exception
    {
        TestingKeySource store = store(400, 100);
        CountDownLatch four = new CountDownLatch(4);
        AtomicInteger alone = new AtomicInteger();
        PageSource slow = after -> {
            if (store.requests() > 0) {
                four.countDown();
                alone.addAndGet(isOpened(four) ? 0 : 1);
            }
            return store.fetch(after);
        };
        List<String> asked = directories(400, 1);
        assertThat(plainOf(new PrefixScan(asked), slow, asked)).isLessThan(100);
        assertThat(alone).hasValue(0);
    }

    @Test
    void keysThatPathsDoNotHave()
    {
        TestingKeySource store = new TestingKeySource(PAGE, List.of(directory(0) + "a", directory(1) + "/a", directory(2) + "a"));
        PrefixScan scan = new PrefixScan(directories(5, 1));
        assertThat(scan.objectsUnder(directory(0), store)).isPresent();
        assertThat(scan.objectsUnder(directory(1), store)).isEmpty();
        assertThat(scan.objectsUnder(directory(2), store)).isPresent();
        assertThat(scan.objectsUnder(directory(3), store)).as("none there").hasValue(List.of());
    }

    @Test
    void directoryIsClaimedOnce()
    {
        PrefixScan scan = new PrefixScan(directories(5, 1));
        assertThat(scan.claim(directory(0))).isTrue();
        assertThat(scan.claim(directory(0))).isFalse();
        assertThat(scan.claim("elsewhere/")).isFalse();
    }

    /* Returns how many of the directories must be listed separately. */
    private int plainOf(PrefixScan scan, PageSource store, List<String> asked)
            throws Exception
    {
        List<Future<Optional<List<S3ObjectSummary>>>> answers = new ArrayList<>();
        for (String directory : asked) {
            answers.add(loaders.submit(() -> scan.objectsUnder(directory, store)));
        }
        int plain = 0;
        for (Future<Optional<List<S3ObjectSummary>>> answer : answers) {
            plain += answer.get().isPresent() ? 0 : 1;
        }
        return plain;
    }

    private static boolean isOpened(CountDownLatch latch)
    {
        try {
            return latch.await(10, TimeUnit.SECONDS);
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static TestingKeySource store(int directories, int files)
    {
        return new TestingKeySource(PAGE, keys(directories, files));
    }

    private static List<String> keys(int directories, int files)
    {
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < directories; i++) {
            for (int file = 0; file < files; file++) {
                keys.add(directory(i) + "file" + file);
            }
        }
        return keys;
    }

    private static List<String> directories(int number, int step)
    {
        return IntStream.iterate(0, i -> i < number, i -> i + step).mapToObj(PrefixScanTest::directory).toList();
    }

    private static String directory(int number)
    {
        return String.format(Locale.ROOT, "t/p=%05d/", number);
    }
}
