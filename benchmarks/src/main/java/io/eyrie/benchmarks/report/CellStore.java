// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/** Stores the measured cells, one file each, so that an interrupted report can continue. Not thread-safe. */
final class CellStore
{
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private final Path directory;

    CellStore(Path directory)
    {
        this.directory = requireNonNull(directory, "directory is null");
    }

    /** Returns the report of a cell; empty if it was not measured or its file cannot be read. */
    Optional<CellReport> find(String experiment, String cell)
            throws IOException
    {
        Path file = file(experiment, cell);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            return Optional.of(JSON.readValue(file.toFile(), CellReport.class));
        }
        catch (JsonProcessingException e) {
            // written by another version of this command; the cell is measured again
            return Optional.empty();
        }
    }

    /** Returns the cells of a report that was written here or elsewhere; empty if there is no readable report. */
    static List<CellReport> published(Path report)
            throws IOException
    {
        if (!Files.exists(report)) {
            return List.of();
        }
        try {
            return List.of(JSON.readValue(report.toFile(), CellReport[].class));
        }
        catch (JsonProcessingException e) {
            return List.of();
        }
    }

    /** Stores a cell. If the process is killed meanwhile, the previous version remains. */
    void put(CellReport report)
            throws IOException
    {
        Path file = file(report.report().benchmark(), report.cell());
        Files.createDirectories(directory);
        Path part = file.resolveSibling(file.getFileName() + ".part");
        Files.writeString(part, JSON.writeValueAsString(report) + "\n");
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private Path file(String experiment, String cell)
    {
        return directory.resolve(experiment + "-" + cell + ".json");
    }
}
