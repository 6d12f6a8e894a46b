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

/** The cells that were measured, a file each: what makes a report go on where it was stopped. Not thread-safe. */
final class CellStore
{
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private final Path directory;

    CellStore(Path directory)
    {
        this.directory = requireNonNull(directory, "directory is null");
    }

    /** The cell as it was measured; empty if it was not, or if its file cannot be read. */
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
            // of another version of this command; measured again
            return Optional.empty();
        }
    }

    /** The cells of a report that was written, here or elsewhere; none if there is none that can be read. */
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

    /** Keeps a cell; a process that is killed meanwhile leaves the one before. */
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
