// SPDX-License-Identifier: Apache-2.0
package io.eyrie.demo;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static java.util.Objects.requireNonNull;

/** The file in which {@code bin/presto} finds the coordinators of the running demos of a checkout: a line each, the latest last. */
final class AddressFile
{
    private final Path file;

    AddressFile(Path file)
    {
        this.file = requireNonNull(file, "file is null");
    }

    /** Adds a coordinator. Returns whether the file has others. */
    boolean add(URI coordinator)
            throws IOException
    {
        List<String> lines = others(coordinator);
        boolean others = !lines.isEmpty();
        lines.add(coordinator.toString());
        Files.write(file, lines);
        return others;
    }

    /** Removes a coordinator, and the file with the last one. */
    void remove(URI coordinator)
            throws IOException
    {
        List<String> lines = others(coordinator);
        if (lines.isEmpty()) {
            Files.deleteIfExists(file);
        }
        else {
            Files.write(file, lines);
        }
    }

    private List<String> others(URI coordinator)
            throws IOException
    {
        List<String> lines = new ArrayList<>(Files.exists(file) ? Files.readAllLines(file) : List.of());
        lines.removeIf(line -> line.isBlank() || line.equals(coordinator.toString()));
        return lines;
    }
}
