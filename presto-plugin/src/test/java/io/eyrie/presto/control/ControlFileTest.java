// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.control;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;

import static com.google.common.util.concurrent.Uninterruptibles.awaitUninterruptibly;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ControlFileTest
{
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void neitherQueriesNorProceduresWaitForADirectoryThatHangs(@TempDir Path directory)
            throws IOException
    {
        ControlFile file = new ControlFile(directory, List.of(), "hive", 50);
        ControlFile patient = new ControlFile(directory, List.of(), "hive");
        ControlState first = patient.change(UnaryOperator.identity());
        CountDownLatch hung = new CountDownLatch(1);
        CountDownLatch healed = new CountDownLatch(1);
        CompletableFuture<ControlState> procedure = CompletableFuture.supplyAsync(() -> change(file, state -> {
            hung.countDown();
            awaitUninterruptibly(healed);
            return state;
        }));
        awaitUninterruptibly(hung);
        for (int query = 0; query < 3; query++) {
            assertThatThrownBy(file::read).isInstanceOf(IOException.class).hasMessageContaining("did not answer within 50 ms");
        }
        assertThatThrownBy(procedure::join).hasRootCauseInstanceOf(TimeoutException.class).hasMessageContaining("did not answer within 300 ms");
        assertThatThrownBy(() -> file.change(UnaryOperator.identity())).isInstanceOf(IOException.class).hasMessageContaining(
                "did not answer within 300 ms");
        assertThat(patient.read()).as("of another coordinator").isEqualTo(first);
        healed.countDown();
        assertThat(readInTime(file)).as("after the changes that were given up").isEqualTo(first);
        ControlState second = patient.change(UnaryOperator.identity());
        assertThat(readInTime(file)).isEqualTo(second).isNotEqualTo(first);
        assertThat(new ControlFile(directory, List.of(), "hive").read()).isEqualTo(second);
    }

    @Test
    void refusedChangeIsNotStored(@TempDir Path directory)
            throws IOException
    {
        ControlFile file = new ControlFile(directory, List.of(), "hive");
        ControlState first = file.change(UnaryOperator.identity());
        assertThatThrownBy(() -> file.change(state -> {
            throw new IllegalArgumentException("too many rules");
        })).isInstanceOf(IllegalArgumentException.class).hasMessage("too many rules");
        assertThat(file.read()).isEqualTo(first);
    }

    private static @Nullable ControlState readInTime(ControlFile file)
    {
        while (true) {
            try {
                return file.read();
            }
            catch (IOException e) {
                assertThat(e).hasMessageContaining("did not answer");
            }
        }
    }

    private static ControlState change(ControlFile file, UnaryOperator<ControlState> change)
    {
        try {
            return file.change(change);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
