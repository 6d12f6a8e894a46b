// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.result;

import com.facebook.presto.common.Page;
import com.facebook.presto.common.block.Block;
import com.facebook.presto.common.type.Type;
import io.eyrie.cache.PageCaches;
import io.eyrie.cache.admission.AdmissionConfig;
import io.eyrie.cache.admission.TablePattern;
import io.eyrie.cache.blob.BlobCache;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.page.PageCache;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.StorageClass;
import io.eyrie.fragment.InterruptedBlobs;
import io.eyrie.fragment.key.FragmentKey;
import io.eyrie.fragment.key.OutputId;
import io.eyrie.fragment.leaf.LeafRun;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import static com.facebook.presto.common.type.BigintType.BIGINT;
import static io.eyrie.fragment.TestingLeaves.BLOCKS;
import static io.eyrie.fragment.result.ResultFormatTest.block;
import static io.eyrie.fragment.result.ResultFormatTest.values;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Tests fragment results with a real store. */
final class FragmentResultsTest
{
    private static final Scope SCOPE = new Scope("hive", "web", "clicks", "ds=1");
    private static final FragmentLimits LIMITS = FragmentLimits.DEFAULT;
    private static final Cost DEAR = new Cost(1000, 1 << 20, 1_000_000_000);
    private static final OutputId A = new OutputId(0, 1);
    private static final OutputId B = new OutputId(0, 2);
    private static final OutputId C = new OutputId(0, 3);

    private final PageCacheConfig config;
    private final AtomicLong clock = new AtomicLong();
    private PageCache cache;

    FragmentResultsTest(@TempDir Path directory)
    {
        config = PageCacheConfig.builder().baseDirectories(List.of(directory)).capacityBytes(64 << 20).minFreeSpaceBytes(0).build();
        cache = PageCaches.open(config);
    }

    @AfterEach
    void close()
    {
        cache.close();
    }

    @Test
    void resultIsGivenBackFromMemoryAndAfterARestart()
    {
        FragmentResults results = results(LIMITS);
        record(results, key(1, A), page(7));
        assertThat(hit(results, key(1, A))).isEqualTo("[[7]]");
        restart();
        FragmentResults restarted = results(LIMITS);
        assertThat(hit(restarted, key(1, A))).isEqualTo("[[7]]");
        assertThat(restarted.stats().savedInputBytes()).isEqualTo(DEAR.inputBytes());
        assertThat(restarted.stats().savedCpuNanos()).isEqualTo(DEAR.cpuNanos());
    }

    @Test
    void reorderedAndNarrowerRequestsHit()
    {
        FragmentResults results = results(LIMITS);
        record(results, key(1, B, A), page(2, 1));
        assertThat(hit(results, key(1, A, B))).isEqualTo("[[1, 2]]");
        assertThat(hit(results, key(1, A))).isEqualTo("[[1]]");
        assertThat(results.stats().hits()).isEqualTo(1);
        assertThat(results.stats().narrowedHits()).isEqualTo(1);
        restart();
        assertThat(hit(results(LIMITS), key(1, B))).isEqualTo("[[2]]");
    }

    @Test
    void allColumnSetsOfALeafAreKnownAfterARestart()
    {
        FragmentResults results = results(LIMITS);
        record(results, key(1, A), page(1));
        record(results, key(1, A, B), page(1, 2));
        restart();
        assertThat(hit(results(LIMITS), key(1, B))).isEqualTo("[[2]]");
    }

    @Test
    void widerRequestIsAMiss()
    {
        FragmentResults results = results(LIMITS);
        record(results, key(1, A), page(1));
        assertThat(results.lookup(key(1, A, B), List::of, SCOPE, false)).isInstanceOf(ResultLookup.Miss.class);
        assertThat(results.lookup(key(2, A), List::of, SCOPE, false)).isInstanceOf(ResultLookup.Miss.class);
    }

    @Test
    void whoKeepsNothingOnlyLooks()
    {
        FragmentResults results = results(LIMITS);
        assertThat(results.isKept(key(1, A), List::of)).isFalse();
        assertThat(results.lookUpOnly(key(1, A), List::of)).isEmpty();
        record(results, key(1, A, B), page(1, 2));
        long hits = results.stats().hits() + results.stats().narrowedHits();
        assertThat(results.isKept(key(1, A), List::of)).isTrue();
        assertThat(results.stats().hits() + results.stats().narrowedHits()).as("nobody was given it").isEqualTo(hits);
        assertThat(text(((ResultLookup.Hit) results.lookUpOnly(key(1, A), List::of).orElseThrow()).result())).isEqualTo("[[1]]");
        assertThat(results.stats().narrowedHits()).isEqualTo(1);
    }

    @Test
    void resultOfFinerGroupsIsOfferedAndTheCoarserOneIsRecorded()
    {
        FragmentResults results = results(LIMITS);
        record(results, key(1, A, B), page(1, 2));
        assertThat(results.lookup(key(2, A), finer(key(3, A), key(1, B, C)), SCOPE, false)).as("other groups, more columns").isInstanceOf(
                ResultLookup.Miss.class);
        assertThat(results.isKept(key(4, A), finer(key(1, B)))).isTrue();
        ResultLookup.Finer found = (ResultLookup.Finer) results.lookup(key(4, A), finer(key(3, B), key(1, B)), SCOPE, false);
        assertThat(text(found.finer())).isEqualTo("[[2]]");
        assertThat(results.lookup(key(4, A), finer(key(1, B)), SCOPE, false)).as("while it is merged").isInstanceOf(ResultLookup.Wait.class);
        finish(found.recorder().orElseThrow(), page(5), DEAR);
        assertThat(hit(results, key(4, A))).isEqualTo("[[5]]");
        FragmentStats stats = results.stats();
        assertThat(stats.subsumedHits()).isEqualTo(1);
        assertThat(stats.lookups()).isEqualTo(stats.hits() + stats.narrowedHits() + stats.subsumedHits() + stats.waits() + stats.misses());
    }

    @Test
    void resultThatIsComputedOnTheWayIsRecordedOnce()
    {
        FragmentResults results = results(LIMITS);
        ResultRecorder recorder = results.record(key(1, A), SCOPE, false).orElseThrow();
        assertThat(results.record(key(1, A), SCOPE, false)).as("while it is recorded").isEmpty();
        assertThat(results.lookup(key(1, A), List::of, SCOPE, false)).as("while it is recorded").isInstanceOf(ResultLookup.Wait.class);
        finish(recorder, page(7), DEAR);
        assertThat(results.record(key(1, A), SCOPE, false)).as("when it exists").isEmpty();
        assertThat(hit(results, key(1, A))).isEqualTo("[[7]]");
        results.record(key(2, A), SCOPE, false).orElseThrow().close();
        miss(results, key(2, A)).close();
    }

    @Test
    void finerResultIsOfferedWithoutRecording()
    {
        FragmentResults results = results(LIMITS);
        record(results, key(1, A), page(1));
        ResultLookup.Finer found = (ResultLookup.Finer) results.lookUpOnly(key(2, A), finer(key(1, A))).orElseThrow();
        assertThat(found.recorder()).isEmpty();
        found.finer().unusable();
        assertThat(results.stats().subsumedHits()).isZero();
        assertThat(List.of(results.stats().lost(), results.stats().currentInFlightBytes())).containsExactly(1L, 0L);
        assertThat(results.lookUpOnly(key(2, A), finer(key(3, A)))).isEmpty();
    }

    @Test
    void finerResultOfTooManyRowsIsNotOffered()
    {
        FragmentResults results = results(LIMITS);
        record(results, key(1, A), page(1));
        FinerKey few = new FinerKey(key(1, A), DEAR.inputRows() - 1, FragmentResultsTest::noRun);
        FinerKey enough = new FinerKey(key(1, A), DEAR.inputRows(), FragmentResultsTest::noRun);
        assertThat(results.lookUpOnly(key(2, A), () -> List.of(few))).isEmpty();
        assertThat(results.lookUpOnly(key(2, A), () -> List.of(enough))).isPresent();
    }

    /* The store is invalidated before the copies in memory are cleared. */
    @Test
    void resultComputedFromACopyThatIsBeingInvalidatedIsNotStored()
    {
        FragmentResults results = results(LIMITS);
        record(results, key(1, A), page(1));
        List<ResultRecorder> later = new ArrayList<>();
        results.invalidate(() -> {
            cache.control().invalidate(SCOPE);
            for (long leaf = 2; leaf <= 3; leaf++) {
                ResultLookup.Finer copy = (ResultLookup.Finer) results.lookup(key(leaf, A), finer(key(1, A)), SCOPE, false);
                copy.finer().unusable();
                later.add(copy.recorder().orElseThrow());
            }
            finish(later.remove(0), page(1), DEAR);
        });
        finish(later.get(0), page(1), DEAR);
        for (long leaf = 1; leaf <= 3; leaf++) {
            miss(results, key(leaf, A)).close();
        }
        record(results, key(1, A), page(4));
        restart();
        FragmentResults restarted = results(LIMITS);
        assertThat(hit(restarted, key(1, A))).as("computed after the invalidation").isEqualTo("[[4]]");
        miss(restarted, key(2, A)).close();
        miss(restarted, key(3, A)).close();
    }

    @Test
    void lookupThatFailsLeavesNoOtherWaiting()
    {
        InterruptedBlobs blobs = new InterruptedBlobs(cache.blobs().orElseThrow());
        FragmentResults results = new FragmentResults(blobs, new ResultFormat(BLOCKS, false), LIMITS, clock::get);
        Runnable failing = () -> {
            throw new OutOfMemoryError("of a test");
        };
        Supplier<List<FinerKey>> finer = () -> {
            blobs.afterStart = failing;
            return finer(key(1, A)).get();
        };
        assertThatThrownBy(() -> results.lookup(key(2, A), finer, SCOPE, false)).isInstanceOf(OutOfMemoryError.class);
        miss(results, key(2, A)).close();
        blobs.afterStart = failing;
        assertThatThrownBy(() -> results.record(key(2, A), SCOPE, false)).isInstanceOf(OutOfMemoryError.class);
        miss(results, key(2, A)).close();
        assertThat(results.stats().currentInFlightBytes()).isZero();
    }

    private static Supplier<List<FinerKey>> finer(FragmentKey... keys)
    {
        return () -> Stream.of(keys).map(key -> new FinerKey(key, Long.MAX_VALUE, FragmentResultsTest::noRun)).toList();
    }

    private static LeafRun noRun()
    {
        throw new AssertionError("merged");
    }

    @Test
    void closedEarlyLeavesNothing()
    {
        FragmentResults results = results(LIMITS);
        ResultRecorder recorder = miss(results, key(1, A));
        try (recorder) {
            recorder.add(page(1));
            assertThat(recorder.abandonment()).isEmpty();
        }
        assertThat(recorder.abandonment()).contains(Abandonment.CLOSED_EARLY);
        assertThat(results.stats().abandoned()).containsEntry(Abandonment.CLOSED_EARLY, 1L);
        assertThat(results.stats().currentInFlightBytes()).isZero();
        miss(results, key(1, A)).close();
    }

    @Test
    void boundsEndTheRecordingAndLeaveNothing()
    {
        assertAbandoned(new FragmentLimits(1 << 20, 1 << 20, 2, Duration.ofDays(1), 1 << 20, 0, 0, 1), Abandonment.TOO_MANY_ROWS);
        assertAbandoned(new FragmentLimits(20, 1 << 20, 1000, Duration.ofDays(1), 1 << 20, 0, 0, 1), Abandonment.TOO_MANY_BYTES);
        assertAbandoned(new FragmentLimits(20, 1 << 20, 1000, Duration.ofDays(1), 20, 0, 0, 1), Abandonment.TOO_MANY_BYTES);
        assertAbandoned(new FragmentLimits(1 << 20, 20, 1000, Duration.ofDays(1), 1 << 20, 0, 0, 1), Abandonment.TOO_MANY_DECODED_BYTES);
        assertAbandoned(new FragmentLimits(1 << 20, 1 << 20, 1000, Duration.ofNanos(5), 1 << 20, 0, 0, 1), Abandonment.TOO_LONG);
    }

    @Test
    void recordingsTogetherAreBounded()
    {
        FragmentResults results = results(new FragmentLimits(2500, 1 << 20, 1000, Duration.ofDays(1), 2500, 0, 0, 1));
        try (ResultRecorder first = miss(results, key(1, A)); ResultRecorder second = miss(results, key(2, A))) {
            first.add(page(1));
            first.add(page(2));
            for (int i = 0; i < 20; i++) {
                second.add(page(i));
            }
            assertThat(results.stats().abandoned()).containsEntry(Abandonment.IN_FLIGHT, 1L);
            assertThat(second.abandonment()).contains(Abandonment.IN_FLIGHT);
            first.finish(DEAR);
            assertThat(first.abandonment()).as("stored").isEmpty();
        }
        assertThat(results.stats().published()).isEqualTo(1);
        assertThat(results.stats().currentInFlightBytes()).isZero();
    }

    @Test
    void resultAsLargeAsItsInputIsNotKeptUnlessItWasDear()
    {
        FragmentResults results = results(LIMITS);
        Page large = new Page(block(BIGINT, Collections.nCopies(10_000, 1L).toArray()));
        long bytes = large.getSizeInBytes();
        ResultRecorder cheap = miss(results, key(1, A));
        finish(cheap, large, new Cost(10_000, bytes, bytes));
        assertThat(cheap.abandonment()).contains(Abandonment.NOT_WORTH_IT);
        assertThat(results.stats().abandoned()).containsEntry(Abandonment.NOT_WORTH_IT, 1L);
        finish(miss(results, key(2, A)), large, new Cost(10_000, bytes, bytes * 100));
        finish(miss(results, key(3, A)), large, new Cost(10_000, bytes * 10, bytes));
        assertThat(results.stats().published()).isEqualTo(2);
    }

    @Test
    void whatWouldNotBeStoredIsNotRecordedAgain()
    {
        FragmentResults results = results(LIMITS);
        Page page = new Page(block(BIGINT, Collections.nCopies(10_000, 1L).toArray()));
        Cost cheap = new Cost(10_000, page.getSizeInBytes(), 1);
        finish(miss(results, key(1, A)), page, cheap);
        ResultRecorder again = miss(results, key(1, A));
        miss(results, key(1, A)).close();
        again.add(page);
        assertThat(again.retainedBytes()).isZero();
        again.finish(cheap);
        assertThat(again.abandonment()).contains(Abandonment.NOT_WORTH_IT);
        assertThat(results.record(key(1, A), SCOPE, true)).isEmpty();
        assertThat(results.stats().abandoned()).containsEntry(Abandonment.NOT_WORTH_IT, 3L);
        assertThat(results.stats().misses()).isEqualTo(3);
        finish(miss(results, key(1, B)), page(1), DEAR);
        assertThat(results.lookup(key(2, A), finer(key(1, B)), SCOPE, false)).isInstanceOf(ResultLookup.Finer.class);
        assertThat(results.lookup(key(1, A), finer(key(1, B)), SCOPE, false)).as("finer groups").isInstanceOf(ResultLookup.Finer.class);
    }

    @Test
    void largeResultIsKeptWhenItComesAgain()
    {
        FragmentResults results = results(LIMITS);
        Page large = new Page(block(BIGINT, Collections.nCopies(400_000, 1L).toArray()));
        ResultLookup.Miss first = (ResultLookup.Miss) results.lookup(key(1, A), List::of, SCOPE, false);
        assertThat(first.absence()).isEqualTo(ResultLookup.Absence.UNKNOWN);
        finish(first.recorder(), large, DEAR);
        assertThat(first.recorder().abandonment()).contains(Abandonment.LARGE_AND_NEW);
        assertThat(results.stats().abandoned()).containsEntry(Abandonment.LARGE_AND_NEW, 1L);
        assertThat(results.stats().currentInFlightBytes()).isZero();
        finish(miss(results, key(2, A)), large, DEAR);
        assertThat(results.stats().published()).as("another one is new, too").isZero();
        ResultLookup.Miss second = (ResultLookup.Miss) results.lookup(key(1, A), List::of, SCOPE, false);
        assertThat(second.absence()).isEqualTo(ResultLookup.Absence.LARGE);
        finish(second.recorder(), large, new Cost(400_000, 100 << 20, 1));
        assertThat(second.recorder().abandonment()).isEmpty();
        assertThat(results.stats().published()).isEqualTo(1);
        assertThat(results.lookup(key(1, A), List::of, SCOPE, false)).isInstanceOf(ResultLookup.Hit.class);
    }

    @Test
    void newLargeResultIsKeptIfAnotherWaitsForIt()
    {
        FragmentResults results = results(LIMITS);
        Page large = new Page(block(BIGINT, Collections.nCopies(400_000, 1L).toArray()));
        ResultRecorder recorder = miss(results, key(1, A));
        ResultLookup.Wait wait = (ResultLookup.Wait) results.lookup(key(1, A), List::of, SCOPE, false);
        finish(recorder, large, DEAR);
        assertThat(recorder.abandonment()).isEmpty();
        assertThat(wait.result().get()).isPresent();
        wait.leave().run();
        assertThat(results.lookup(key(1, A), List::of, SCOPE, false)).isInstanceOf(ResultLookup.Hit.class);
        ResultRecorder left = miss(results, key(2, A));
        ((ResultLookup.Wait) results.lookup(key(2, A), List::of, SCOPE, false)).leave().run();
        finish(left, large, DEAR);
        assertThat(left.abandonment()).as("no other caller waits").contains(Abandonment.LARGE_AND_NEW);
    }

    @Test
    void newLargeResultOfARecurringPlanIsKept()
    {
        FragmentResults results = results(LIMITS);
        Page large = new Page(block(BIGINT, Collections.nCopies(400_000, 1L).toArray()));
        finish(((ResultLookup.Miss) results.lookup(key(1, A), List::of, SCOPE, true)).recorder(), large, DEAR);
        finish(results.record(key(2, A), SCOPE, true).orElseThrow(), large, DEAR);
        assertThat(results.stats().published()).isEqualTo(2);
    }

    @Test
    void invalidatedWhileItWasComputedIsNotKept()
    {
        FragmentResults results = results(new FragmentLimits(1 << 20, 1 << 20, 1000, Duration.ofDays(1), 1 << 20, 0, 0, 1));
        ResultRecorder recorder = miss(results, key(1, A));
        cache.control().invalidate(SCOPE);
        finish(recorder, page(1), DEAR);
        restart();
        miss(results(LIMITS), key(1, A)).close();
    }

    @Test
    void isInMemoryAtOnceEvenIfAnythingElseWasInvalidatedMeanwhile()
    {
        FragmentResults results = results(LIMITS);
        ResultRecorder recorder = miss(results, key(1, A));
        cache.blobs().orElseThrow().invalidate(new BlobKey(7, 7));
        finish(recorder, page(1), DEAR);
        // from now on, nothing is read from the disk
        cache.close();
        assertThat(hit(results, key(1, A))).isEqualTo("[[1]]");
    }

    @Test
    void resultOfALongComputationIsKeptIfMuchElseIsPublishedMeanwhile()
    {
        FragmentResults results = results(LIMITS);
        ResultRecorder recorder = miss(results, key(0, A));
        // each second column set of the same rows replaces the list of them
        for (int rows = 1; rows < 1100; rows++) {
            record(results, key(rows, A), page(1));
            record(results, key(rows, B), page(2));
        }
        finish(recorder, page(7), DEAR);
        assertThat(hit(results, key(0, A))).isEqualTo("[[7]]");
        restart();
        assertThat(hit(results(LIMITS), key(0, A))).isEqualTo("[[7]]");
    }

    @Test
    void invalidatedWhileItWasComputedIsNotInMemory()
    {
        FragmentResults results = results(LIMITS);
        ResultRecorder recorder = miss(results, key(1, A));
        cache.control().invalidate(SCOPE);
        finish(recorder, page(1), DEAR);
        miss(results, key(1, A)).close();
    }

    @Test
    void resultThatTheStoreDoesNotAdmit()
    {
        cache.close();
        AdmissionConfig denied = new AdmissionConfig(List.of(), List.of(TablePattern.parse("hive.web.*")), 0, OptionalLong.empty(), false);
        cache = PageCaches.open(config.toBuilder().admission(denied).build());
        record(results(LIMITS), key(1, A), page(1));
        // without the copy in memory
        ResultLookup.Miss miss = (ResultLookup.Miss) results(LIMITS).lookup(key(1, A), List::of, SCOPE, false);
        assertThat(miss.absence()).isEqualTo(ResultLookup.Absence.NOT_WRITTEN);
        miss.recorder().close();
    }

    @Test
    void memoryOfServedResultsIsBoundedAndTheRestIsComputed()
    {
        record(results(LIMITS), key(1, A), wide(25_000));
        record(results(LIMITS), key(2, A), wide(25_000));
        restart();
        FragmentResults results = results(limits(300_000, 0));
        StoredResult first = ((ResultLookup.Hit) results.lookup(key(1, A), List::of, SCOPE, false)).result();
        assertThat(first.isInMemory()).isFalse();
        assertThat(results.stats().currentInFlightBytes()).as("told before it is read").isEqualTo(first.storedBytes()).isGreaterThan(200_000);
        assertThat(first.retainedBytes()).isGreaterThan(first.storedBytes());
        assertThat(results.lookup(key(2, A), List::of, SCOPE, false)).isInstanceOf(ResultLookup.Busy.class);
        assertThat(results.lookUpOnly(key(2, A), List::of)).containsInstanceOf(ResultLookup.Busy.class);
        assertThat(results.stats().busy()).isEqualTo(2);
        assertThat(rows(first)).isEqualTo(25_000);
        assertThat(results.stats().currentInFlightBytes()).isEqualTo(first.storedBytes());
        first.close();
        assertThat(results.stats().currentInFlightBytes()).isZero();
        FragmentStats stats = results.stats();
        assertThat(stats.lookups()).isEqualTo(stats.hits() + stats.misses()).isEqualTo(3);
        assertThat(results.lookup(key(2, A), List::of, SCOPE, false)).isInstanceOf(ResultLookup.Hit.class);
    }

    @Test
    void bytesInMemoryAreCountedOnceForAllThatAreServedFromThem()
    {
        FragmentResults results = results(limits(300_000, 1 << 20));
        finish(miss(results, key(1, A)), wide(25_000), DEAR);
        List<StoredResult> served = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            served.add(((ResultLookup.Hit) results.lookup(key(1, A), List::of, SCOPE, false)).result());
        }
        assertThat(results.stats().currentInFlightBytes()).isEqualTo(served.get(0).storedBytes()).isGreaterThan(200_000);
        served.forEach(StoredResult::close);
        assertThat(results.stats().currentInFlightBytes()).isZero();
    }

    @Test
    void resultThatIsGoneWhenItIsToBeReadIsAMiss()
    {
        record(results(LIMITS), key(1, A), wide(25_000));
        restart();
        FragmentResults results = results(LIMITS);
        StoredResult found = ((ResultLookup.Hit) results.lookup(key(1, A), List::of, SCOPE, false)).result();
        cache.control().invalidate(SCOPE);
        assertThat(results.stats().hits()).as("a counter that decreased would be taken for one of a new process").isZero();
        assertThat(found.pages()).isEmpty();
        found.close();
        FragmentStats stats = results.stats();
        assertThat(stats.lost()).isEqualTo(1);
        assertThat(stats.hits()).isZero();
        assertThat(stats.misses()).isEqualTo(stats.lookups()).isEqualTo(1);
        assertThat(stats.currentInFlightBytes()).isZero();
    }

    @Test
    void bytesThatWaitersMayStillTakeAreCounted()
    {
        FragmentResults results = results(limits(1 << 20, 0));
        ResultRecorder recorder = miss(results, key(1, A));
        ResultLookup.Wait first = (ResultLookup.Wait) results.lookup(key(1, A), List::of, SCOPE, false);
        ResultLookup.Wait second = (ResultLookup.Wait) results.lookup(key(1, A), List::of, SCOPE, false);
        finish(recorder, wide(25_000), DEAR);
        assertThat(results.stats().currentInFlightBytes()).isGreaterThan(200_000);
        first.leave().run();
        first.leave().run();
        assertThat(results.stats().currentInFlightBytes()).isGreaterThan(200_000);
        second.leave().run();
        assertThat(results.stats().currentInFlightBytes()).isZero();
    }

    @Test
    void pagesThatRetainMoreThanTheirRowsAreNotHeld()
    {
        FragmentResults results = results(LIMITS);
        try (ResultRecorder recorder = miss(results, key(1, A))) {
            for (int i = 0; i < 20; i++) {
                // a row of a page of 3 MB
                recorder.add(wide(300_000).getRegion(i, 1));
                assertThat(recorder.retainedBytes()).isLessThan(3 << 20).isEqualTo(results.stats().currentInFlightBytes());
            }
            recorder.finish(DEAR);
        }
        assertThat(results.stats().published()).isEqualTo(1);
    }

    @Test
    void resultWithAFrameThatCannotBeDecodedIsDropped()
    {
        FragmentKey key = key(1, A);
        ResultFormat.Writer writer = new ResultFormat(BLOCKS, false).writer(key, key.storedOutputs());
        writer.add(page(1));
        int first = writer.bytes();
        writer.add(page(2));
        byte[] bytes = writer.finish(DEAR);
        // the second frame begins with its number of rows, memory and length, and its page with its number of rows, codec and lengths
        Arrays.fill(bytes, first + 12 + 21, bytes.length, (byte) -1);
        BlobCache blobs = cache.blobs().orElseThrow();
        blobs.put(key.result(key.storedOutputs()), new PageTags(SCOPE, StorageClass.RESULT), ByteBuffer.wrap(bytes), blobs.epoch());
        restart();
        FragmentResults results = results(LIMITS);
        Iterator<Page> pages = ((ResultLookup.Hit) results.lookup(key, List::of, SCOPE, false)).result().pages().orElseThrow();
        assertThat(values(pages.next(), List.of(BIGINT))).isEqualTo("[[1]]");
        assertThatThrownBy(pages::next).isInstanceOf(RuntimeException.class);
        assertThat(results.stats().undecodable()).isEqualTo(1);
        miss(results, key).close();
    }

    @Test
    void bytesOfAnotherBuildAreDroppedAndComputedAgain()
    {
        FragmentKey key = key(1, A);
        BlobCache blobs = cache.blobs().orElseThrow();
        BlobKey where = key.result(key.storedOutputs());
        blobs.put(where, new PageTags(SCOPE, StorageClass.FOOTER), ByteBuffer.wrap(new byte[] {1, 2, 3}), blobs.epoch());
        restart();
        FragmentResults results = results(LIMITS);
        finish(miss(results, key), page(4), DEAR);
        assertThat(results.stats().undecodable()).isEqualTo(1);
        assertThat(hit(results, key)).isEqualTo("[[4]]");
    }

    @Test
    void waitersGetTheResultOfTheOneWhoComputes()
    {
        FragmentResults results = results(LIMITS);
        ResultRecorder recorder = miss(results, key(1, A, B));
        ResultLookup.Wait wait = (ResultLookup.Wait) results.lookup(key(1, B, A), List::of, SCOPE, false);
        assertThat(wait.ended()).isNotDone();
        finish(recorder, page(1, 2), DEAR);
        assertThat(wait.ended()).isCompleted();
        assertThat(text(wait.result().get().orElseThrow())).isEqualTo("[[2, 1]]");
        wait.leave().run();
        assertThat(results.stats().currentInFlightBytes()).isZero();
    }

    @Test
    void waitersOfAnAbandonedRecordingComputeByThemselves()
    {
        FragmentResults results = results(LIMITS);
        ResultRecorder recorder = miss(results, key(1, A));
        ResultLookup.Wait wait = (ResultLookup.Wait) results.lookup(key(1, A), List::of, SCOPE, false);
        recorder.close();
        assertThat(wait.ended()).isCompleted();
        assertThat(wait.result().get()).isEmpty();
        assertThat(wait.withheld().get()).contains(Abandonment.CLOSED_EARLY);
        miss(results, key(1, A)).close();
    }

    @Test
    void waiterThatThereIsNoMemoryForKnowsIt()
    {
        FragmentResults results = results(limits(300_000, 0));
        ResultRecorder recorder = miss(results, key(1, A));
        ResultLookup.Wait wait = (ResultLookup.Wait) results.lookup(key(1, A), List::of, SCOPE, false);
        finish(recorder, wide(25_000), DEAR);
        assertThat(results.stats().published()).isEqualTo(1);
        assertThat(wait.result().get()).isEmpty();
        assertThat(wait.withheld().get()).contains(Abandonment.IN_FLIGHT);
        wait.leave().run();
    }

    @Test
    void nobodyWaitsForASlowOne()
            throws Exception
    {
        FragmentResults results = results(new FragmentLimits(1 << 20, 1 << 20, 1000, Duration.ofDays(1), 1 << 20, 1 << 20, 1, 1));
        try (ResultRecorder slow = miss(results, key(1, A))) {
            ResultLookup.Wait wait = (ResultLookup.Wait) results.lookup(key(1, A), List::of, SCOPE, false);
            wait.ended().get(10, TimeUnit.SECONDS);
            assertThat(wait.result().get()).isEmpty();
            assertThat(wait.withheld().get()).as("the recording goes on").isEmpty();
            finish(slow, page(1), DEAR);
        }
        assertThat(hit(results, key(1, A))).isEqualTo("[[1]]");
    }

    @Test
    void oneOfManyComputes()
            throws Exception
    {
        FragmentResults results = results(LIMITS);
        AtomicInteger computed = new AtomicInteger();
        CountDownLatch start = new CountDownLatch(1);
        ExecutorService executor = Executors.newFixedThreadPool(8);
        try {
            List<Future<String>> answers = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                int number = i % 4;
                answers.add(executor.submit(() -> {
                    start.await();
                    return ask(results, key(number, A), number, computed);
                }));
            }
            start.countDown();
            for (int i = 0; i < 64; i++) {
                assertThat(answers.get(i).get(30, TimeUnit.SECONDS)).isEqualTo("[[" + i % 4 + "]]");
            }
        }
        finally {
            executor.shutdownNow();
        }
        assertThat(computed).hasValue(4);
        FragmentStats stats = results.stats();
        assertThat(stats.lookups()).isEqualTo(64).isEqualTo(stats.hits() + stats.narrowedHits() + stats.subsumedHits() + stats.waits() + stats
                .misses());
        assertThat(stats.currentInFlightBytes()).isZero();
    }

    private static String ask(FragmentResults results, FragmentKey key, int number, AtomicInteger computed)
            throws Exception
    {
        ResultLookup lookup = results.lookup(key, List::of, SCOPE, false);
        if (lookup instanceof ResultLookup.Wait wait) {
            wait.ended().get();
            String text = text(wait.result().get().orElseThrow());
            wait.leave().run();
            return text;
        }
        if (lookup instanceof ResultLookup.Miss miss) {
            computed.incrementAndGet();
            finish(miss.recorder(), page(number), DEAR);
            return "[[" + number + "]]";
        }
        return text(((ResultLookup.Hit) lookup).result());
    }

    private void assertAbandoned(FragmentLimits limits, Abandonment reason)
    {
        FragmentResults results = results(limits);
        ResultRecorder recorder = miss(results, key(1, A));
        recorder.add(page(1));
        clock.addAndGet(10);
        recorder.add(page(2));
        recorder.add(page(3));
        recorder.finish(DEAR);
        recorder.close();
        assertThat(recorder.abandonment()).contains(reason);
        assertThat(results.stats().abandoned()).containsEntry(reason, 1L);
        assertThat(results.stats().published()).isZero();
        assertThat(results.stats().currentInFlightBytes()).isZero();
        miss(results, key(1, A)).close();
    }

    private void restart()
    {
        cache.close();
        cache = PageCaches.open(config);
    }

    private FragmentResults results(FragmentLimits limits)
    {
        return new FragmentResults(cache.blobs().orElseThrow(), new ResultFormat(BLOCKS, false), limits, clock::get);
    }

    private static ResultRecorder miss(FragmentResults results, FragmentKey key)
    {
        return ((ResultLookup.Miss) results.lookup(key, List::of, SCOPE, false)).recorder();
    }

    private static void record(FragmentResults results, FragmentKey key, Page page)
    {
        finish(miss(results, key), page, DEAR);
    }

    private static void finish(ResultRecorder recorder, Page page, Cost cost)
    {
        try (recorder) {
            recorder.add(page);
            recorder.finish(cost);
        }
    }

    private static String hit(FragmentResults results, FragmentKey key)
    {
        return text(((ResultLookup.Hit) results.lookup(key, List::of, SCOPE, false)).result());
    }

    private static FragmentLimits limits(long inFlightBytes, long memoryBytes)
    {
        return new FragmentLimits((int) inFlightBytes, 1 << 20, 1_000_000, Duration.ofDays(1), inFlightBytes, memoryBytes, 10_000, 1);
    }

    private static Page wide(int rows)
    {
        return new Page(block(BIGINT, LongStream.range(0, rows).boxed().toArray()));
    }

    private static long rows(StoredResult result)
    {
        long rows = 0;
        for (Iterator<Page> pages = result.pages().orElseThrow(); pages.hasNext();) {
            rows += pages.next().getPositionCount();
        }
        return rows;
    }

    private static String text(StoredResult result)
    {
        Page page = result.pages().orElseThrow().next();
        result.close();
        return values(page, Collections.nCopies(page.getChannelCount(), (Type) BIGINT));
    }

    private static Page page(long... values)
    {
        return new Page(Arrays.stream(values).mapToObj(value -> block(BIGINT, value)).toArray(Block[]::new));
    }

    private static FragmentKey key(long rows, OutputId... outputs)
    {
        return new FragmentKey(new BlobKey(rows, 0), List.of(outputs));
    }
}
