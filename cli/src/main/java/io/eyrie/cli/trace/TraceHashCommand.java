// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.trace;

import io.eyrie.cache.trace.TraceReader;
import io.eyrie.cache.trace.TraceRecord;
import io.eyrie.cache.trace.TraceWriter;
import io.eyrie.cli.console.Console;
import io.eyrie.cli.console.JsonFile;
import io.eyrie.cli.console.Words;
import io.eyrie.cli.key.KeyFiles;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Callable;

import static java.util.Objects.requireNonNull;

/** The command {@code eyrie trace hash}. */
@Command(name = "hash", mixinStandardHelpOptions = true, sortOptions = false, description = "Copies a trace, not encrypted, with the names of catalogs, schemas, "
        + "tables and partitions hashed, so that it can be shared: equal names stay equal within the copy.")
final class TraceHashCommand
        implements Callable<Integer>
{
    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(index = "0", paramLabel = "TRACE", description = "A trace.")
    private Path trace = Path.of("");

    @Parameters(index = "1", paramLabel = "COPY", description = "The copy, a file that does not exist yet.")
    private Path copy = Path.of("");

    @Mixin
    private KeyFiles keys = new KeyFiles();

    @Override
    public Integer call()
            throws IOException
    {
        CommandSpec command = requireNonNull(spec, "spec is null");
        JsonFile.check(command, "COPY", copy);
        long lookups = 0;
        try (TraceReader reader = new TraceReader(Files.newInputStream(trace), keys.load());
                TraceWriter writer = new TraceWriter(Files.newOutputStream(copy, StandardOpenOption.CREATE_NEW), true)) {
            long lost = 0;
            for (TraceRecord lookup = reader.next(); lookup != null; lookup = reader.next()) {
                if (reader.lost() > lost) {
                    writer.writeLost(reader.lost() - lost);
                    lost = reader.lost();
                }
                writer.write(lookup);
                lookups++;
            }
        }
        catch (EOFException e) {
            // truncated, as most traces are; the copy has everything up to there
        }
        new Console(command.commandLine().getOut()).print("Wrote " + Words.count(lookups, "lookup") + " to " + copy);
        return 0;
    }
}
