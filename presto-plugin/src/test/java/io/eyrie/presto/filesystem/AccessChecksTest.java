// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.filesystem;

import com.github.benmanes.caffeine.cache.Ticker;
import io.airlift.units.Duration;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.StoreId;
import io.eyrie.presto.config.AccessCheckConfig;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AccessChecksTest
{
    private final AccessChecks checks = new AccessChecks(new AccessCheckConfig(), Ticker.systemTicker());
    private final CountDownLatch healed = new CountDownLatch(1);
    private final ExecutorService readers = Executors.newCachedThreadPool();

    @AfterEach
    void end()
    {
        healed.countDown();
        readers.shutdownNow();
    }

    @Test
    void canceledReaderDoesNotWaitForACheckThatHangs()
            throws Exception
    {
        CompletableFuture<Throwable> unused = hang("a", 1, checks);
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        Thread canceled = new Thread(() -> failure.complete(failureOf(() -> checks.check(file("ann", "a"), "", () -> {
            if (Thread.interrupted()) {
                throw new InterruptedIOException("canceled");
            }
            return remote("a");
        }))));
        canceled.start();
        canceled.interrupt();
        assertThat(failure.orTimeout(20, TimeUnit.SECONDS).join()).hasMessage("canceled");
        canceled.join();
    }

    @Test
    void checksThatHangDoNotHoldUpOtherFiles()
            throws Exception
    {
        for (int i = 0; i < 64; i++) {
            CompletableFuture<Throwable> unused = hang("hung" + i, 1, checks);
        }
        CompletableFuture<Throwable> failure = CompletableFuture.supplyAsync(() -> failureOf(() -> {
            for (int i = 0; i < 200; i++) {
                String name = "file" + i;
                checks.check(file("ann", name), "", () -> remote(name));
            }
        }), readers);
        assertThat(failure.orTimeout(20, TimeUnit.SECONDS).join()).hasMessage("none");
    }

    @Test
    void readersOfAFileShareACheckButNotItsFailure()
            throws Exception
    {
        CompletableFuture<Throwable> first = hang("a", 1, checks);
        CompletableFuture<Throwable> second = CompletableFuture.supplyAsync(() -> failureOf(() -> checks.check(file("ann", "a"), "", () -> remote(
                "a"))),
                readers);
        healed.countDown();
        assertThat(first.join()).hasMessage("hung");
        assertThat(second.join()).hasMessage("none");
        assertThat(checks.refusals()).isEqualTo(1);
        checks.check(file("ann", "a"), "", () -> {
            throw new AssertionError("the second reader's check is valid");
        });
        assertThat(checks.checks()).isEqualTo(2);
        assertThatThrownBy(() -> checks.check(file("bob", "a"), "", () -> remote("other"))).hasMessageContaining("a");
    }

    @Test
    void withoutAnIntervalEachOpenAsks()
            throws Exception
    {
        AccessChecks each = new AccessChecks(new AccessCheckConfig().setInterval(new Duration(0, TimeUnit.SECONDS)), Ticker.systemTicker());
        CompletableFuture<Throwable> unused = hang("a", 3, each);
        assertThat(CompletableFuture.supplyAsync(() -> failureOf(() -> each.check(file("ann", "a"), "", () -> remote("a"))), readers)
                .orTimeout(5, TimeUnit.SECONDS).join()).as("of a reader that is not held up by others").hasMessage("none");
        assertThat(each.checks()).isEqualTo(4);
    }

    private interface Check
    {
        void run()
                throws IOException;
    }

    private static Throwable failureOf(Check check)
    {
        try {
            check.run();
            return new Throwable("none");
        }
        catch (IOException | RuntimeException e) {
            return e;
        }
    }

    /* Begins checks of a file that fail once the store is healed. Returns when all have reached the store. */
    private CompletableFuture<Throwable> hang(String name, int times, AccessChecks at)
            throws Exception
    {
        CountDownLatch begun = new CountDownLatch(times);
        CompletableFuture<Throwable> last = new CompletableFuture<>();
        for (int i = 0; i < times; i++) {
            last = CompletableFuture.supplyAsync(() -> failureOf(() -> at.check(file("ann", name), "", () -> {
                begun.countDown();
                try {
                    healed.await();
                }
                catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                throw new IOException("hung");
            })), readers);
        }
        assertThat(begun.await(20, TimeUnit.SECONDS)).as("checks of %s reach the store", name).isTrue();
        return last;
    }

    private static FileVersion file(String user, String name)
    {
        return new FileVersion(new StoreId("hdfs://namenode", user), "hdfs://namenode/" + name, 10, 123, Optional.empty());
    }

    private static FileSystem remote(String name)
    {
        MemoryFileSystem remote = new MemoryFileSystem("hdfs://namenode");
        remote.files.put(new Path("hdfs://namenode/" + name), new byte[10]);
        return remote;
    }
}
