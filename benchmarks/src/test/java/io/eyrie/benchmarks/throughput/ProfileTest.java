// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.throughput;

import io.eyrie.benchmarks.throughput.Profile.Wait;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

class ProfileTest
{
    // longer than what JFR leaves out
    private static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final String PLACE = ProfileTest.class.getName() + ".";

    private final Object monitor = new Object();
    private final ReentrantLock lock = new ReentrantLock();
    private final AtomicInteger ended = new AtomicInteger();

    @Test
    void waitsForMonitorsAndLocksAreFoundAndIdleThreadsAreNot(@TempDir Path directory)
            throws Exception
    {
        long pid = ProcessHandle.current().pid();
        ExecutorService idle = Executors.newSingleThreadExecutor();
        Profile profile;
        try {
            Profile.start(pid);
            idle.submit(() -> {}).get();
            Thread waiter = new Thread(this::enterMonitor);
            synchronized (monitor) {
                startAndAwait(waiter, Thread.State.BLOCKED);
            }
            waiter.join();
            waiter = new Thread(this::takeLock);
            lock.lock();
            try {
                startAndAwait(waiter, Thread.State.WAITING);
            }
            finally {
                lock.unlock();
            }
            waiter.join();
            idle.submit(() -> {}).get();
        }
        finally {
            profile = Profile.stop(pid, directory.resolve("recording.jfr"));
            idle.shutdownNow();
        }
        assertThat(ended).hasValue(2);
        assertThat(profile.waits())
                .extracting(Wait::lock, Wait::place)
                .contains(
                        tuple("java.lang.Object", PLACE + "enterMonitor"),
                        tuple("java.util.concurrent.locks.ReentrantLock$NonfairSync", PLACE + "takeLock"));
        assertThat(profile.waits()).extracting(Wait::lock).noneMatch(name -> name.contains("ConditionObject"));
        assertThat(profile.waits()).extracting(Wait::seconds).allMatch(seconds -> seconds > 0);
    }

    @Test
    void theLongestWaitsComeFirst()
    {
        Profile profile = new Profile(
                List.of(new Wait("a", "io.eyrie.A.a", 1), new Wait("io.eyrie.B", "b", 2), new Wait("c", "com.facebook.presto.C.c", 3)), 0, 0, 0);
        assertThat(profile.waits()).extracting(Wait::seconds).containsExactly(3.0, 2.0, 1.0);
        assertThat(profile.ours(1)).isZero();
        assertThat(profile.ours(2)).isEqualTo(1);
        assertThat(profile.ours(10)).isEqualTo(2);
    }

    private void enterMonitor()
    {
        synchronized (monitor) {
            ended.incrementAndGet();
        }
    }

    private void takeLock()
    {
        lock.lock();
        try {
            ended.incrementAndGet();
        }
        finally {
            lock.unlock();
        }
    }

    private static void startAndAwait(Thread waiter, Thread.State state)
    {
        waiter.start();
        long started = System.nanoTime();
        while (waiter.getState() != state || System.nanoTime() - started < SHORTEST_NANOS) {
            Thread.onSpinWait();
        }
    }
}
