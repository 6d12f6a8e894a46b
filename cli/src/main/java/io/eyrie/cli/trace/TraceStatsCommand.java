// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.trace;

import io.eyrie.cli.console.Console;
import io.eyrie.cli.console.JsonFile;
import io.eyrie.cli.key.KeyFiles;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

import static java.util.Objects.requireNonNull;

/** The command {@code eyrie trace stats}. */
@Command(name = "stats", mixinStandardHelpOptions = true, sortOptions = false, description = "Summarizes traces: lookups by outcome, table and storage class.")
final class TraceStatsCommand
        implements Callable<Integer>
{
    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(arity = "1..*", paramLabel = "TRACE", description = "Traces of one or more caches.")
    private List<Path> traces = List.of();

    @Mixin
    private KeyFiles keys = new KeyFiles();

    @Option(names = "--json", paramLabel = "FILE", description = "Also writes the numbers to this file, as JSON.")
    private @Nullable Path json;

    @Override
    public Integer call()
            throws IOException
    {
        CommandSpec command = requireNonNull(spec, "spec is null");
        JsonFile file = JsonFile.option(command, json);
        TraceStats stats = new TraceStats();
        TraceFiles files = new TraceFiles(keys.load(), new Console(command.commandLine().getErr()));
        TraceStats.Report report = stats.report(files.read(traces, stats::add));
        new Console(command.commandLine().getOut()).print(report.text());
        file.write(report);
        return 0;
    }
}
