// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.metastore;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;

import static com.google.common.util.concurrent.Uninterruptibles.awaitUninterruptibly;
import static org.assertj.core.api.Assertions.assertThat;

class MarkFileTest
{
    private static final long TIMEOUT_MILLIS = 60_000;

    @Test
    void numberOfTheLatestProcess(@TempDir Path directory)
            throws IOException
    {
        MarkFile first = new MarkFile(directory, TIMEOUT_MILLIS);
        long before = first.current();
        assertThat(new MarkFile(directory, TIMEOUT_MILLIS).current()).isEqualTo(before);
        first.renew();
        assertThat(first.current()).isNotEqualTo(before);
        assertThat(new MarkFile(directory, TIMEOUT_MILLIS).current()).isEqualTo(first.current());
    }

    @Test
    void lostOrDamagedFileIsAnotherNumber(@TempDir Path directory)
            throws IOException
    {
        long before = new MarkFile(directory, TIMEOUT_MILLIS).current();
        Path file = directory.resolve("lists");
        Files.write(file, new byte[3]);
        long second = new MarkFile(directory, TIMEOUT_MILLIS).current();
        assertThat(second).isNotEqualTo(before);
        assertThat(new MarkFile(directory, TIMEOUT_MILLIS).current()).isEqualTo(second);
        Files.delete(file);
        assertThat(new MarkFile(directory, TIMEOUT_MILLIS).current()).isNotEqualTo(second);
    }

    @Test
    void numberThatCannotBeWritten(@TempDir Path directory)
            throws IOException
    {
        MarkFile first = new MarkFile(directory, TIMEOUT_MILLIS);
        long before = first.current();
        Path inTheWay = Files.createDirectories(directory.resolve("lists.new/full"));
        first.renew();
        assertThat(first.current()).isNotEqualTo(before);
        Files.delete(inTheWay);
        assertThat(new MarkFile(directory, TIMEOUT_MILLIS).current()).as("in the next process").isNotEqualTo(before);
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void hungDiskHoldsUpNoStatement(@TempDir Path directory)
            throws Exception
    {
        long before = new MarkFile(directory, TIMEOUT_MILLIS).current();
        CountDownLatch healed = new CountDownLatch(1);
        LongAdder writes = new LongAdder();
        MarkFile mark = new MarkFile(directory, 10, () -> {
            writes.increment();
            awaitUninterruptibly(healed);
        });
        mark.renew();
        long first = mark.current();
        assertThat(first).isNotEqualTo(before);
        for (int i = 0; i < 5; i++) {
            Thread other = new Thread(mark::renew);
            other.start();
            other.join();
        }
        assertThat(mark.current()).isNotEqualTo(first);
        assertThat(new MarkFile(directory, TIMEOUT_MILLIS).current()).as("on the disk").isEqualTo(before);
        healed.countDown();
        while (new MarkFile(directory, TIMEOUT_MILLIS).current() != mark.current()) {
            Thread.onSpinWait();
        }
        assertThat(writes.sum()).as("writes").isEqualTo(2);
    }

    @Test
    void interruptedStatementWritesTheNumber(@TempDir Path directory)
            throws IOException
    {
        MarkFile mark = new MarkFile(directory, TIMEOUT_MILLIS);
        Thread.currentThread().interrupt();
        mark.renew();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(new MarkFile(directory, TIMEOUT_MILLIS).current()).isEqualTo(mark.current());
    }
}
