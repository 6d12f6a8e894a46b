// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.handle;

import io.eyrie.cache.handle.HandlePool.Stats;
import org.junit.jupiter.api.Test;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class HandlePoolTest
{
    private static final int MAX_IDLE = 2;
    private static final long IDLE_NANOS = 100;

    private final AtomicLong clock = new AtomicLong();
    private final Deque<Runnable> sweeps = new ArrayDeque<>();
    private final HandlePool<String, Handle> pool = new HandlePool<>(MAX_IDLE, IDLE_NANOS, clock::get, (task, after) -> sweeps.add(task));
    private final ConcurrentLinkedQueue<Handle> opened = new ConcurrentLinkedQueue<>();

    @Test
    void nextReaderOpensAgain()
            throws IOException
    {
        reader("a").read(handle -> {});
        reader("a").read(handle -> assertThat(handle).isSameAs(opened.peek()));
        assertThat(opened).hasSize(1);
        assertThat(pool.stats()).isEqualTo(new Stats(1, 1, 0, 1));
    }

    @Test
    void readerOfAnotherKeyIsGivenTheHandle()
            throws IOException
    {
        reader("a").read(handle -> {});
        reader("b").read(handle -> {});
        assertThat(opened).hasSize(2);
    }

    @Test
    void twoReadersShareAHandle()
            throws IOException
    {
        reader("a").read(first -> reader("a").read(second -> assertThat(second).isNotSameAs(first)));
        assertThat(opened).hasSize(2);
    }

    @Test
    void readsOfOneReaderOpenSeveral()
            throws IOException
    {
        ReaderHandles<String, Handle> reader = reader("a");
        reader.read(first -> reader.read(second -> assertThat(second).isSameAs(first)));
        assertThat(opened).hasSize(1);
        assertThat(pool.stats().currentIdle()).isEqualTo(1);
    }

    @Test
    void readsThatLockEachOtherShareAHandle()
            throws IOException
    {
        ReaderHandles<String, Handle> reader = new ReaderHandles<>(pool, "a", this::open, false);
        reader.read(first -> reader.read(second -> assertThat(second).isNotSameAs(first)));
        assertThat(opened).hasSize(2);
    }

    @Test
    void handleThatFailedIsUsedAgain()
    {
        assertThatThrownBy(() -> reader("a").read(handle -> {
            throw new IOException("broken");
        })).hasMessage("broken");
        assertThat(opened.element().closed).isTrue();
        assertThat(opened).as("a handle of its own is not tried twice").hasSize(1);
        assertThat(pool.stats()).isEqualTo(new Stats(1, 0, 1, 0));
    }

    @Test
    void failureOfAnothersHandleReachesTheReader()
            throws IOException
    {
        reader("a").read(handle -> {});
        Handle old = opened.element();
        List<Handle> tried = new ArrayList<>();
        reader("a").read(handle -> {
            tried.add(handle);
            if (handle == old) {
                throw new IOException("its client was closed");
            }
        });
        assertThat(tried).hasSize(2);
        assertThat(old.closed).isTrue();
        assertThat(pool.stats()).isEqualTo(new Stats(2, 1, 1, 1));
    }

    @Test
    void retryTakesAnotherStaleHandle()
            throws IOException
    {
        for (boolean concurrent : new boolean[] {true, false}) {
            reader("a").read(first -> reader("a").read(second -> {}));
            List<Handle> stale = List.copyOf(opened);
            List<Handle> tried = new ArrayList<>();
            new ReaderHandles<>(pool, "a", this::open, concurrent).read(handle -> {
                tried.add(handle);
                if (stale.contains(handle)) {
                    throw new IOException("its client was closed");
                }
            });
            assertThat(tried).hasSize(2);
            pool.forget("a"::equals);
        }
    }

    @Test
    void failureThatStaysIsHidden()
            throws IOException
    {
        reader("a").read(handle -> {});
        assertThatThrownBy(() -> reader("a").read(handle -> {
            throw new IllegalStateException("gone");
        })).isInstanceOf(IllegalStateException.class).hasMessage("gone");
        assertThat(opened).hasSize(2).allMatch(handle -> handle.closed);
    }

    /** A failed read removes the handle for reads that begin later, but not for a read that still runs. */
    @Test
    void handleIsClosedUnderARead()
            throws IOException
    {
        ReaderHandles<String, Handle> reader = reader("a");
        reader.read(running -> {
            assertThatThrownBy(() -> reader.read(failing -> {
                assertThat(failing).isSameAs(running);
                throw new IOException("broken");
            })).hasMessage("broken");
            assertThat(running.closed).isFalse();
            reader.read(later -> assertThat(later).isNotSameAs(running));
        });
        assertThat(opened.element().closed).isTrue();
        assertThat(pool.stats()).isEqualTo(new Stats(2, 0, 1, 1));
    }

    @Test
    void moreAreIdleThanMay()
            throws IOException
    {
        for (String key : List.of("a", "b", "c")) {
            reader(key).read(handle -> {});
        }
        assertThat(pool.stats().currentIdle()).isEqualTo(MAX_IDLE);
        assertThat(opened.stream().map(handle -> handle.closed)).containsExactly(true, false, false);
    }

    @Test
    void handleIsIdleForEver()
            throws IOException
    {
        reader("a").read(handle -> {});
        clock.addAndGet(IDLE_NANOS / 2);
        reader("b").read(handle -> {});
        clock.addAndGet(IDLE_NANOS / 2);
        assertThat(sweeps).hasSize(1);
        sweeps.remove().run();
        assertThat(opened.stream().map(handle -> handle.closed)).containsExactly(true, false);
        clock.addAndGet(IDLE_NANOS);
        reader("b").read(handle -> assertThat(opened).as("too old to be used, if not swept yet").hasSize(3));
        sweeps.remove().run();
        assertThat(opened.stream().map(handle -> handle.closed)).containsExactly(true, true, false);
    }

    @Test
    void forgottenKeyIsKeptOpen()
            throws IOException
    {
        reader("a").read(handle -> {});
        reader("b").read(handle -> {});
        pool.forget("a"::equals);
        assertThat(opened.stream().map(handle -> handle.closed)).containsExactly(true, false);
    }

    @Test
    void closedPoolKeepsHandles()
            throws IOException
    {
        reader("a").read(handle -> {});
        reader("b").read(handle -> {
            pool.close();
            assertThat(handle.closed).isFalse();
        });
        assertThat(opened).hasSize(2).allMatch(handle -> handle.closed);
        reader("c").read(handle -> {});
        assertThat(opened).hasSize(3).allMatch(handle -> handle.closed);
    }

    /** Uses the real clock and sweeper. */
    @Test
    void idleHandleIsNotSwept()
            throws Exception
    {
        CountDownLatch closed = new CountDownLatch(1);
        try (HandlePool<String, Closeable> real = new HandlePool<>(MAX_IDLE, 1)) {
            new ReaderHandles<String, Closeable>(real, "a", () -> closed::countDown, true).read(handle -> {});
            assertThat(closed.await(1, TimeUnit.MINUTES)).isTrue();
        }
    }

    @Test
    void threadsLoseOrShareHandles()
            throws Exception
    {
        int threads = 8;
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Future<Void>> results = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                long seed = i;
                results.add(executor.submit((Callable<Void>) () -> {
                    Random random = new Random(seed);
                    for (int round = 0; round < 2_000; round++) {
                        read(random);
                    }
                    return null;
                }));
            }
            for (Future<Void> result : results) {
                result.get(1, TimeUnit.MINUTES);
            }
        }
        finally {
            executor.shutdownNow();
        }
        Stats stats = pool.stats();
        assertThat(opened).hasSize((int) stats.opened());
        assertThat(opened.stream().filter(handle -> !handle.closed)).hasSize((int) stats.currentIdle());
        pool.close();
        assertThat(opened).allMatch(handle -> handle.closed);
    }

    private void read(Random random)
            throws IOException
    {
        boolean fails = random.nextInt(10) == 0;
        try {
            reader("key" + random.nextInt(3)).read(handle -> {
                assertThat(handle.readers.incrementAndGet()).isEqualTo(1);
                assertThat(handle.closed).isFalse();
                Thread.onSpinWait();
                handle.readers.decrementAndGet();
                if (fails) {
                    throw new IOException("broken");
                }
            });
        }
        catch (IOException e) {
            assertThat(fails).isTrue();
        }
    }

    private ReaderHandles<String, Handle> reader(String key)
    {
        return new ReaderHandles<>(pool, key, this::open, true);
    }

    private Handle open()
    {
        Handle handle = new Handle();
        opened.add(handle);
        return handle;
    }

    private static final class Handle
            implements Closeable
    {
        final AtomicInteger readers = new AtomicInteger();
        private final AtomicBoolean closing = new AtomicBoolean();
        volatile boolean closed;

        @Override
        public void close()
        {
            assertThat(closing.compareAndSet(false, true)).as("closed once").isTrue();
            closed = true;
        }
    }
}
