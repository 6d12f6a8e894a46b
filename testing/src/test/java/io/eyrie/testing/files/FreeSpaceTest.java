// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.files;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class FreeSpaceTest
{
    @Test
    void fullDiskIsNamedWithTheFix(@TempDir Path directory)
    {
        assertThatCode(() -> FreeSpace.require(directory, -(1L << 30))).doesNotThrowAnyException();
        assertThatThrownBy(() -> FreeSpace.require(directory, 1L << 60)).isInstanceOf(FullDiskException.class)
                .hasMessageContainingAll("The volume of " + directory + " has ", " GB of free space", "(cache.min-free-space): free ",
                        "-Djava.io.tmpdir");
    }
}
