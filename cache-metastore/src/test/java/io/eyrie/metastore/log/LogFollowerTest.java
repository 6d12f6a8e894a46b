// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.log;

import io.eyrie.metastore.log.EventLogException.Reason;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class LogFollowerTest
{
    private final TestingEventLog log = new TestingEventLog();
    private final RecordingChangeListener changes = new RecordingChangeListener();
    private final AtomicLong nanos = new AtomicLong();
    private final LogFollower follower = new LogFollower(log, changes, Duration.ZERO, nanos::get);

    @Test
    void nothingIsTrustedBeforeTheFirstReading()
    {
        log.alterTable("db", "old");
        assertThat(follower.follow()).isTrue();
        assertThat(changes.take()).containsExactly("everything");
    }

    @Test
    void resumesAtThePositionOfAnotherFollower()
    {
        log.alterTable("db", "before");
        LogPosition position = positionOfAnother();
        log.alterTable("db", "since");
        LogFollower graceful = new LogFollower(log, changes, Duration.ofMinutes(5), () -> -1);
        graceful.resumeFrom(LogPosition.decode(position.encode()), () -> changes.databaseChanged("restored"));
        assertThat(changes.take()).isEmpty();
        log.afterCurrentId(() -> log.fail(Reason.FAILED));
        assertThat(graceful.follow()).isFalse();
        assertThat(changes.take()).isEmpty();
        log.afterCurrentId(() -> {});
        log.fail(null);
        assertThat(graceful.follow()).isTrue();
        assertThat(changes.take()).containsExactly("restored", "db.since");
        assertThat(graceful.stats().restarts()).isZero();
        assertThat(graceful.position().map(reached -> reached.newest().id())).contains(2L);
    }

    @Test
    void logThatFailsBetweenResumingAndTheEventsSince()
    {
        log.alterTable("db", "before");
        LogPosition position = positionOfAnother();
        log.alterTable("db", "since");
        LogFollower graceful = new LogFollower(log, changes, Duration.ofMinutes(5), nanos::get);
        graceful.resumeFrom(position, () -> {
            changes.databaseChanged("restored");
            log.fail(Reason.FAILED);
        });
        assertThat(graceful.follow()).as("the events since are not known").isFalse();
        assertThat(graceful.follow()).as("nor within a grace period").isFalse();
        assertThat(graceful.position()).isEmpty();
        log.fail(null);
        assertThat(graceful.follow()).isTrue();
        assertThat(changes.take()).containsExactly("restored", "db.since");
    }

    @Test
    void resumesOnlyBeforeTheFirstReading()
    {
        log.alterTable("db", "before");
        LogPosition position = positionOfAnother();
        started();
        follower.resumeFrom(position, () -> changes.databaseChanged("restored"));
        log.replace("another", 7);
        nanos.addAndGet(2 * LogFollower.ASK_INTERVAL_NANOS);
        assertThat(follower.follow()).isTrue();
        assertThat(follower.follow()).isTrue();
        assertThat(changes.take()).containsExactly("everything");
        assertThat(follower.position()).as("of a log without its newest event").isEmpty();
    }

    private LogPosition positionOfAnother()
    {
        LogFollower another = new LogFollower(log, new RecordingChangeListener(), Duration.ZERO, nanos::get);
        assertThat(another.position()).isEmpty();
        assertThat(another.follow()).isTrue();
        return another.position().orElseThrow();
    }

    @Test
    void logThatCannotBeReadWithinTheGrace()
    {
        LogFollower graceful = new LogFollower(log, changes, Duration.ofMinutes(5), nanos::get);
        log.fail(Reason.FAILED);
        assertThat(graceful.follow()).as("before the first reading").isFalse();
        log.fail(null);
        assertThat(graceful.follow()).isTrue();
        log.fail(Reason.FAILED);
        nanos.addAndGet(Duration.ofMinutes(5).toNanos() - 1);
        assertThat(graceful.follow()).isTrue();
        nanos.addAndGet(1);
        assertThat(graceful.follow()).isFalse();
        log.fail(null);
        log.alterTable("db", "meanwhile");
        assertThat(graceful.follow()).isTrue();
        assertThat(changes.take()).contains("db.meanwhile");
        log.fail(Reason.REFUSED);
        assertThat(graceful.follow()).as("refused").isFalse();
        assertThat(graceful.stats().graceReadings()).isEqualTo(1);
    }

    @Test
    void eventsThatAreKnownOfAndCannotBeReadWithinTheGrace()
    {
        LogFollower graceful = new LogFollower(log, changes, Duration.ofMinutes(5), nanos::get);
        assertThat(graceful.follow()).isTrue();
        log.alterTable("db", "unread");
        log.afterCurrentId(() -> log.fail(Reason.FAILED));
        assertThat(graceful.follow()).isFalse();
        assertThat(graceful.follow()).as("down after that").isFalse();
        log.afterCurrentId(() -> {});
        log.fail(null);
        assertThat(graceful.follow()).isTrue();
        assertThat(changes.take()).contains("db.unread");
        log.fail(Reason.FAILED);
        assertThat(graceful.follow()).isTrue();
        assertThat(graceful.stats().graceReadings()).isEqualTo(1);
    }

    @Test
    void oneCallWhereNothingHasHappened()
    {
        log.alterTable("db", "t");
        started();
        assertThat(follower.follow()).isTrue();
        assertThat(log.takeCalls()).containsExactly("currentId");
        assertThat(changes.take()).isEmpty();
    }

    @Test
    void eventsSinceTheLastReading()
    {
        log.alterTable("db", "before");
        started();
        log.append("CREATE_TABLE", "db", "created", "{}");
        log.append("DROP_TABLE", "db", "dropped", "{}");
        log.alterTable("db", "altered");
        log.renameTable("db", "old", "other", "new");
        log.append("ADD_PARTITION", "db", "t", "{\"partitions\":[{\"a\":\"1\",\"b\":\"x\"},{\"a\":\"2\",\"b\":\"y\"}]}");
        log.append("DROP_PARTITION", "db", "t", "{\"partitions\":[{\"a\":\"1\",\"b\":\"x\"}]}");
        log.alterPartition("db", "t", "7");
        log.append("INSERT", "db", "t", "{\"ptnObjJson\":\"{\\\"1\\\":{\\\"lst\\\":[\\\"str\\\",1,\\\"8\\\"]}}\"}");
        log.append("INSERT", "db", "whole", "{}");
        log.append("CREATE_DATABASE", "created", "", "{}");
        log.append("ALTER_DATABASE", "altered", "", "{}");
        log.append("DROP_DATABASE", "dropped", "", "{}");
        log.append("ADD_PRIMARYKEY", "db", "constrained", "{}");
        log.append("OPEN_TXN", "", "", "{}");
        assertThat(follower.follow()).isTrue();
        assertThat(changes.take()).containsExactly("db.created", "db.dropped", "db.altered", "db.old", "other.new", "db.t [[1, x], [2, y]] ADDED",
                "db.t [[1, x]] DROPPED", "db.t [[7]] ALTERED", "db.t [[8]] ALTERED", "db.whole", "created", "altered", "dropped", "db.constrained");
        assertThat(follower.follow()).isTrue();
        assertThat(changes.take()).isEmpty();
    }

    @Test
    void renamedPartitionIsTwo()
    {
        started();
        log.append("ALTER_PARTITION", "db", "t", "{\"partitionObjBeforeJson\":\"{\\\"1\\\":{\\\"lst\\\":[\\\"str\\\",1,\\\"old\\\"]}}\","
                + "\"partitionObjAfterJson\":\"{\\\"1\\\":{\\\"lst\\\":[\\\"str\\\",1,\\\"new\\\"]}}\"}");
        assertThat(follower.follow()).isTrue();
        assertThat(changes.take()).containsExactly("db.t [[old], [new]] DROPPED");
    }

    /* As Hive 4 writes them. */
    @Test
    void compressedMessages()
            throws IOException
    {
        started();
        log.append("ALTER_TABLE", "db", "t", compressed("{\"tableObjBeforeJson\":\"{\\\"1\\\":{\\\"str\\\":\\\"t\\\"},"
                + "\\\"2\\\":{\\\"str\\\":\\\"db\\\"}}\"}"));
        log.append("DROP_PARTITION", "db", "t", compressed("{\"partitions\":[{\"ds\":\"ü\"}]}"));
        log.append("DROP_PARTITION", "db", "long", compressed("{\"partitions\":[{\"ds\":\"" + "x".repeat(LogChanges.MOST_CHARACTERS) + "\"}]}"));
        assertThat(follower.follow()).isTrue();
        assertThat(changes.take()).containsExactly("db.t", "db.t [[ü]] DROPPED", "db.long");
    }

    private static String compressed(String json)
            throws IOException
    {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(json.getBytes(UTF_8));
        }
        return Base64.getEncoder().encodeToString(bytes.toByteArray());
    }

    @Test
    void messagesThatAreNotUnderstoodStandForTheWidestChange()
    {
        started();
        log.append("ALTER_PARTITION", "db", "t", "H4sIAAAA");
        log.append("ADD_PARTITION", "db", "t", "");
        log.append("UPDATE_TBL_COL_STAT", "db", "t", "{}");
        log.append("SOMETHING_NEW", "db", "", "{}");
        assertThat(follower.follow()).isTrue();
        assertThat(changes.take()).containsExactly("db.t", "db.t", "db.t", "db");
        log.append("ALTER_TABLE", "db", "t", "H4sIAAAA");
        log.append("SOMETHING_NEW", "", "", "{}");
        assertThat(follower.follow()).isTrue();
        assertThat(changes.take()).containsExactly("everything", "everything");
    }

    @Test
    void moreEventsThanOneCallGives()
    {
        started();
        int events = 2 * LogFollower.EVENTS_A_CALL + 1;
        IntStream.range(0, events).forEach(i -> log.alterTable("db", "t" + i));
        assertThat(follower.follow()).isTrue();
        assertThat(changes.take()).hasSize(events).doesNotContain("everything");
    }

    @Test
    void eventThatIsTooLongToBeParsed()
    {
        started();
        String padding = "x".repeat(LogChanges.MOST_CHARACTERS);
        log.append("ADD_PARTITION", "db", "t", "{\"partitions\":[{\"a\":\"1\"}],\"more\":\"" + padding + "\"}");
        log.append("ALTER_TABLE", "db", "u", "{\"more\":\"" + padding + "\"}");
        log.alterTable("db", "after");
        assertThat(follower.follow()).isTrue();
        assertThat(changes.take()).containsExactly("db.t", "everything", "db.after");
        assertThat(follower.stats().longEvents()).isEqualTo(2);
    }

    @Test
    void longEventsAreReadOneAtATime()
    {
        log.alterTable("db", "known");
        started();
        String padding = "x".repeat((int) LogFollower.SMALL_ANSWER_CHARACTERS);
        for (int i = 0; i < 3; i++) {
            log.append("ADD_PARTITION", "db", "t", "{\"partitions\":[{\"a\":\"1\"}],\"more\":\"" + padding + "\"}");
        }
        assertThat(follower.follow()).isTrue();
        assertThat(changes.take()).hasSize(3).containsOnly("db.t [[1]] ADDED");
        assertThat(log.takeCalls()).containsExactly("currentId", "eventsAfter 2", "eventsAfter 2", "eventsAfter 2");
        assertFollowsOn();
    }

    @Test
    void moreEventsThanAreWorthReading()
    {
        started();
        IntStream.rangeClosed(0, LogFollower.MOST_EVENTS).forEach(i -> log.append("OPEN_TXN", "", "", "{}"));
        assertThat(follower.follow()).isTrue();
        assertThat(changes.take()).containsExactly("everything");
    }

    @Test
    void eventsCleanedAwayBeforeTheyWereRead()
    {
        log.alterTable("db", "known");
        started();
        log.alterTable("db", "missed");
        log.alterTable("db", "there");
        log.clean(2);
        assertThat(follower.follow()).isTrue();
        assertThat(changes.take()).containsExactly("everything");
        assertFollowsOn();
    }

    @Test
    void allEventsCleanedAway()
    {
        log.alterTable("db", "known");
        started();
        log.alterTable("db", "missed");
        log.clean(2);
        assertThat(follower.follow()).isTrue();
        assertThat(changes.take()).containsExactly("everything");
        assertFollowsOn();
    }

    @Test
    void gapInTheLog()
    {
        log.alterTable("db", "known");
        started();
        log.alterTable("db", "read");
        log.setLastId(3);
        log.alterTable("db", "after the gap");
        assertThat(follower.follow()).isTrue();
        assertThat(changes.take()).endsWith("everything");
        assertFollowsOn();
    }

    @Test
    void lowerNumberThanOneSeen()
    {
        IntStream.range(0, 5).forEach(i -> log.alterTable("db", "t"));
        started();
        log.replace("one", 3);
        assertThat(follower.follow()).isTrue();
        assertThat(changes.take()).containsExactly("everything");
        assertFollowsOn();
    }

    @Test
    void databaseRestoredAndPastTheNumberSeen()
    {
        IntStream.range(0, 5).forEach(i -> log.alterTable("db", "t"));
        started();
        log.replace("one", 2);
        IntStream.range(0, 6).forEach(i -> log.alterTable("db", "u"));
        assertThat(follower.follow()).isTrue();
        assertThat(changes.take()).containsExactly("everything");
    }

    @Test
    void anotherMetastoreWithTheSameNumber()
    {
        log.alterTable("db", "t");
        started();
        log.replace("two", 1);
        nanos.addAndGet(LogFollower.ASK_INTERVAL_NANOS);
        assertThat(follower.follow()).isTrue();
        assertThat(changes.take()).containsExactly("everything");
    }

    @Test
    void listenerTakenOutAndPutBack()
    {
        started();
        log.setWritten(false);
        nanos.addAndGet(LogFollower.ASK_INTERVAL_NANOS);
        follower.follow();
        nanos.addAndGet(LogFollower.ASK_INTERVAL_NANOS);
        assertThat(follower.follow()).isFalse();
        assertThat(changes.take()).containsExactly("everything");
        log.takeCalls();

        assertThat(follower.follow()).isFalse();
        assertThat(log.takeCalls()).isEmpty();

        log.setWritten(true);
        nanos.addAndGet(LogFollower.RETRY_INTERVAL_NANOS);
        assertThat(follower.follow()).isTrue();
        assertThat(changes.take()).containsExactly("everything");
    }

    @Test
    void settingsAreCheckedOneAtATime()
    {
        started();
        log.takeCalls();
        for (String checked : List.of("metastore", "written", "cached", "metastore")) {
            nanos.addAndGet(LogFollower.ASK_INTERVAL_NANOS);
            assertThat(follower.follow()).isTrue();
            assertThat(log.takeCalls()).containsExactly(checked, "currentId");
        }
    }

    @Test
    void metastoreThatAnswersFromCachesOfItsOwn()
    {
        log.setCached(true);
        assertThat(follower.follow()).isFalse();
        assertThat(follower.isWithoutLog()).isTrue();
        log.setCached(false);
        nanos.addAndGet(LogFollower.RETRY_INTERVAL_NANOS);
        assertThat(follower.follow()).isTrue();
        changes.take();
        log.setCached(true);
        for (int check = 0; check < 3; check++) {
            nanos.addAndGet(LogFollower.ASK_INTERVAL_NANOS);
            follower.follow();
        }
        assertThat(follower.follow()).isFalse();
        assertThat(follower.isWithoutLog()).isTrue();
        assertThat(changes.take()).containsExactly("everything");
    }

    @Test
    void refusedCalls()
    {
        log.fail(Reason.REFUSED);
        assertThat(follower.follow()).isFalse();
        log.takeCalls();
        assertThat(follower.follow()).isFalse();
        assertThat(log.takeCalls()).isEmpty();
    }

    /* A server's answer to a call that it refuses, and to one that fails. */
    @Test
    void errorThatMayBeARefusal()
    {
        LogFollower graceful = new LogFollower(log, changes, Duration.ofMinutes(5), nanos::get);
        log.alterTable("db", "known");
        assertThat(graceful.follow()).isTrue();
        changes.take();
        log.fail(Reason.UNDECLARED);
        assertThat(graceful.follow()).as("within the grace").isTrue();
        nanos.addAndGet(Duration.ofMinutes(4).toNanos());
        assertThat(graceful.follow()).as("within the grace").isTrue();
        log.fail(null);
        log.alterTable("db", "meanwhile");
        assertThat(graceful.follow()).isTrue();
        assertThat(changes.take()).containsExactly("db.meanwhile");

        log.fail(Reason.UNDECLARED);
        assertThat(graceful.follow()).isTrue();
        nanos.addAndGet(Duration.ofMinutes(5).toNanos() - 1);
        assertThat(graceful.follow()).as("a new error has a period of its own").isTrue();
        assertThat(graceful.isWithoutLog()).isFalse();
        nanos.incrementAndGet();
        assertThat(graceful.follow()).as("a refusal").isFalse();
        assertThat(graceful.isWithoutLog()).isTrue();
        assertThat(changes.take()).containsExactly("everything");
    }

    @Test
    void errorThatMayBeARefusalAtTheFirstReading()
    {
        log.alterTable("db", "before");
        LogPosition position = positionOfAnother();
        log.alterTable("db", "since");
        follower.resumeFrom(position, () -> changes.databaseChanged("restored"));
        log.fail(Reason.UNDECLARED);
        assertThat(follower.follow()).isFalse();
        log.fail(null);
        assertThat(follower.follow()).isTrue();
        assertThat(changes.take()).containsExactly("restored", "db.since");

        LogFollower refused = new LogFollower(log, changes, Duration.ZERO, nanos::get);
        log.fail(Reason.UNDECLARED);
        assertThat(refused.follow()).isFalse();
        assertThat(refused.isWithoutLog()).as("nothing is lost if it is none").isTrue();
    }

    /* HIVE-16886: the second of two concurrent events gets the number of the first, and may be committed after it was read. */
    @Test
    void metastoreThatMayGiveTwoEventsOneNumber()
    {
        log.replace("", 0);
        assertThat(follower.follow()).isFalse();
        assertThat(follower.isWithoutLog()).isTrue();
    }

    @Test
    void queriesDoNotWaitForALogThatDoesNotAnswer()
            throws Exception
    {
        LogFollower impatient = new LogFollower(log, changes, Duration.ofMinutes(5), nanos::get, Duration.ofMillis(50));
        log.alterTable("db", "known");
        while (!impatient.follow()) {
            Thread.onSpinWait();
        }
        changes.take();
        CountDownLatch answers = new CountDownLatch(1);
        log.afterCurrentId(() -> awaitUninterruptibly(answers));
        assertThat(impatient.follow()).as("within the grace").isTrue();
        assertThat(impatient.stats().overdueReadings()).isEqualTo(1);
        nanos.addAndGet(Duration.ofMinutes(5).toNanos());
        log.takeCalls();
        long before = System.nanoTime();
        for (int i = 0; i < 100; i++) {
            assertThat(impatient.follow()).isFalse();
        }
        assertThat(Duration.ofNanos(System.nanoTime() - before)).as("without waiting").isLessThan(Duration.ofSeconds(4));
        assertThat(log.takeCalls()).isEmpty();

        log.afterCurrentId(() -> {});
        log.alterTable("db", "meanwhile");
        answers.countDown();
        while (!impatient.follow()) {
            Thread.onSpinWait();
        }
        assertThat(changes.take()).containsExactly("db.meanwhile");
    }

    @Test
    void pausesAfterALogFailedLate()
            throws Exception
    {
        LogFollower impatient = new LogFollower(log, changes, Duration.ZERO, nanos::get, Duration.ofMillis(50));
        while (!impatient.follow()) {
            Thread.onSpinWait();
        }
        CountDownLatch answers = new CountDownLatch(1);
        log.afterCurrentId(() -> {
            awaitUninterruptibly(answers);
            throw new IllegalStateException("timed out");
        });
        assertThat(impatient.follow()).isFalse();
        answers.countDown();
        while (impatient.stats().failures() == 0) {
            Thread.onSpinWait();
        }
        log.takeCalls();
        assertThat(impatient.follow()).isFalse();
        assertThat(log.takeCalls()).as("in the pause").isEmpty();
        log.afterCurrentId(() -> {});
        nanos.addAndGet(LogFollower.ASK_INTERVAL_NANOS);
        while (!impatient.follow()) {
            Thread.onSpinWait();
        }
        assertThat(log.takeCalls()).contains("currentId");
    }

    @Test
    void nothingIsVouchedForWhileTheMetastoreIsDownAndNothingIsMissedAfterwards()
    {
        log.alterTable("db", "known");
        started();
        log.fail(Reason.FAILED);
        assertThat(follower.follow()).isFalse();
        log.alterTable("db", "meanwhile");
        log.fail(null);
        assertThat(follower.follow()).isTrue();
        assertThat(changes.take()).containsExactly("db.meanwhile");
        assertThat(follower.stats().failures()).isEqualTo(1);
    }

    @Test
    void callsDuringAReadingShareTheNextOneAndSeeWhatCameBeforeThem()
            throws Exception
    {
        log.alterTable("db", "known");
        started();
        CountDownLatch numberRead = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        log.afterCurrentId(() -> {
            log.afterCurrentId(() -> {});
            numberRead.countDown();
            awaitUninterruptibly(goOn);
        });
        CompletableFuture<Boolean> first = CompletableFuture.supplyAsync(follower::follow);
        numberRead.await();

        log.alterTable("db", "in between");
        List<Boolean> outcomes = new CopyOnWriteArrayList<>();
        List<Thread> late = IntStream.range(0, 3).mapToObj(i -> new Thread(() -> outcomes.add(follower.follow()))).toList();
        late.forEach(Thread::start);
        late.forEach(LogFollowerTest::awaitWaiting);
        long readings = follower.stats().readings();
        goOn.countDown();
        assertThat(first.get()).isTrue();
        for (Thread thread : late) {
            thread.join();
        }
        assertThat(outcomes).containsExactly(true, true, true);
        assertThat(changes.take()).containsExactly("db.in between");
        assertThat(follower.stats().readings() - readings).isEqualTo(1);
        assertThat(follower.stats().sharedReadings()).isEqualTo(2);
    }

    private void started()
    {
        assertThat(follower.follow()).isTrue();
        changes.take();
        log.takeCalls();
    }

    private void assertFollowsOn()
    {
        log.alterTable("db", "later");
        assertThat(follower.follow()).isTrue();
        assertThat(changes.take()).containsExactly("db.later");
    }

    private static void awaitUninterruptibly(CountDownLatch latch)
    {
        try {
            latch.await();
        }
        catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void awaitWaiting(Thread thread)
    {
        while (thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
    }
}
