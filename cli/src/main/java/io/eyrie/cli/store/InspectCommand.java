// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.store;

import io.eyrie.cache.crypt.KeyRing;
import io.eyrie.cache.device.DirectoryOwner;
import io.eyrie.cache.inspection.StoreInspection;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

import static java.util.Objects.requireNonNull;

/** The command {@code eyrie inspect}. */
@Command(name = "inspect", mixinStandardHelpOptions = true, sortOptions = false, description = "Shows the contents of cache directories, by table. "
        + "Changes nothing and takes no lock: works while an owner is running, and then shows the state that it recorded about a second ago.")
public final class InspectCommand
        implements Callable<Integer>
{
    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(arity = "1..*", paramLabel = "DIR", description = "Cache directories, as in cache.base-directory.")
    private List<Path> directories = List.of();

    @Option(names = "--partitions", description = "Shows partitions, too.")
    private boolean partitions;

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
        Console progress = new Console(command.commandLine().getErr());
        Console out = new Console(command.commandLine().getOut());
        Optional<KeyRing> ring = keys.load();
        List<StoreReport> reports = new ArrayList<>();
        for (Path directory : directories) {
            progress.progress("reading the journal in " + directory);
            try (StoreInspection store = StoreInspection.open(directory, ring)) {
                StoreReport report = StoreReport.of(store, DirectoryOwner.of(directory), partitions);
                if (!reports.isEmpty()) {
                    out.print("");
                }
                out.print(report.text());
                reports.add(report);
            }
        }
        file.write(reports);
        return 0;
    }
}
