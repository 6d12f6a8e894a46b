// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.metastore;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;

class MarkFileTest
{
    @Test
    void numberOfTheLatestProcess(@TempDir Path directory)
            throws IOException
    {
        MarkFile first = new MarkFile(directory);
        long before = first.current();
        assertThat(new MarkFile(directory).current()).isEqualTo(before);
        first.renew();
        assertThat(first.current()).isNotEqualTo(before);
        assertThat(new MarkFile(directory).current()).isEqualTo(first.current());
    }

    @Test
    void lostOrDamagedFileIsAnotherNumber(@TempDir Path directory)
            throws IOException
    {
        long before = new MarkFile(directory).current();
        Path file = directory.resolve("lists");
        Files.write(file, new byte[3]);
        long second = new MarkFile(directory).current();
        assertThat(second).isNotEqualTo(before);
        assertThat(new MarkFile(directory).current()).isEqualTo(second);
        Files.delete(file);
        assertThat(new MarkFile(directory).current()).isNotEqualTo(second);
    }

    @Test
    void numberThatCannotBeWritten(@TempDir Path directory)
            throws IOException
    {
        MarkFile first = new MarkFile(directory);
        long before = first.current();
        Path inTheWay = Files.createDirectories(directory.resolve("lists.new/full"));
        first.renew();
        assertThat(first.current()).isNotEqualTo(before);
        Files.delete(inTheWay);
        assertThat(new MarkFile(directory).current()).as("in the next process").isNotEqualTo(before);
    }
}
