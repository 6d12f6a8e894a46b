// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.device;

import io.eyrie.cache.device.DirectoryOwner.State;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

import static org.assertj.core.api.Assertions.assertThat;

final class DirectoryOwnerTest
{
    private final Path directory;

    DirectoryOwnerTest(@TempDir Path directory)
    {
        this.directory = directory;
    }

    private State stateAfter(String words)
            throws IOException
    {
        Files.writeString(directory.resolve(DirectoryLock.FILE_NAME), words + "\n");
        DirectoryOwner owner = DirectoryOwner.of(directory);
        assertThat(owner.words()).isEqualTo(words);
        return owner.state();
    }

    @Test
    void nobodyYet()
            throws IOException
    {
        assertThat(DirectoryOwner.of(directory)).isEqualTo(new DirectoryOwner(State.NOBODY, ""));
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void ownerOfThisProcessKeepsItsLock()
            throws IOException
    {
        try (DirectoryLock lock = new LocalDevice().lock(directory)) {
            DirectoryOwner owner = DirectoryOwner.of(directory);
            assertThat(owner.state()).isEqualTo(State.RUNNING);
            assertThat(owner.words()).contains("process " + ProcessHandle.current().pid(), "(this process)");
            assertThat(lock.isHeld()).isTrue();
        }
    }

    @Test
    void whatLockFilesSay()
            throws IOException
    {
        String here = " on host " + InetAddress.getLocalHost().getHostName() + " since ";
        long self = ProcessHandle.current().pid();
        assertThat(stateAfter("process " + self + here + Instant.now())).isEqualTo(State.RUNNING);
        // another process now has this id
        assertThat(stateAfter("process " + self + here + "2001-01-01T00:00:00Z")).isEqualTo(State.ENDED);
        assertThat(stateAfter("process 99999999999" + here + Instant.now())).isEqualTo(State.ENDED);
        assertThat(stateAfter("process " + self + " on host elsewhere.example since " + Instant.now())).isEqualTo(State.UNKNOWN);
        assertThat(stateAfter("something else")).isEqualTo(State.UNKNOWN);
    }
}
