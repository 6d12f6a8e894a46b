// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.micro;

import io.eyrie.testing.files.Directories;
import io.eyrie.testing.lake.Checkout;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A directory of a benchmark, on the disk of the checkout; it is deleted when the benchmark ends. */
public record Workplace(Path directory)
        implements AutoCloseable
{
    public static Workplace of(Checkout checkout, String benchmark)
    {
        Path directory = checkout.root().resolve("benchmarks/target/bench").resolve(benchmark);
        Directories.delete(directory);
        try {
            Files.createDirectories(directory);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Workplace(directory);
    }

    /** Creates a directory in it. */
    public Path folder(String name)
    {
        try {
            return Files.createDirectory(directory.resolve(name));
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the file of JMH's log, which remains until the next run. */
    Path log()
    {
        return directory.resolveSibling(directory.getFileName() + ".log");
    }

    @Override
    public void close()
    {
        Directories.delete(directory);
    }
}
