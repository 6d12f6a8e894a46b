// SPDX-License-Identifier: Apache-2.0
package io.eyrie.demo;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;

class AddressFileTest
{
    private static final URI FIRST = URI.create("http://127.0.0.1:20001");
    private static final URI SECOND = URI.create("http://127.0.0.1:20002");

    @Test
    void twoDemosAtATime(@TempDir Path directory)
            throws IOException
    {
        Path path = directory.resolve("coordinator");
        AddressFile file = new AddressFile(path);
        assertThat(file.add(FIRST)).isFalse();
        assertThat(file.add(SECOND)).isTrue();
        assertThat(path).hasContent(FIRST + "\n" + SECOND);
        file.remove(SECOND);
        assertThat(path).hasContent(FIRST.toString());
        file.remove(FIRST);
        assertThat(path).doesNotExist();
        file.remove(FIRST);
        assertThat(path).doesNotExist();
    }
}
