// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.soak;

import io.eyrie.benchmarks.CommandRunner;
import io.eyrie.cli.console.Console;
import io.eyrie.cli.console.JsonFile;
import io.eyrie.testing.lake.Checkout;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;

import static java.util.Objects.requireNonNull;

/**
 * {@code bin/bench soak}. Its exit code is 1 if an answer was wrong, a query failed without a reason, the cluster did not survive a fault, or a
 * resource leaks.
 */
@Command(name = "soak", mixinStandardHelpOptions = true, sortOptions = false, description = "Runs a cluster under readers, writers and faults, and compares every answer with the truth.")
public final class SoakCommand
        implements Callable<Integer>
{
    @Spec
    private @Nullable CommandSpec spec;

    @Option(names = "--minutes", paramLabel = "N", description = "How long, ${DEFAULT-VALUE} if nothing is said; at least as long as each fault takes once, some three.")
    private double minutes = 10;

    @Option(names = "--seed", paramLabel = "N", description = "Of the questions, changes and faults; drawn if nothing is said, and printed.")
    private @Nullable Long seed;

    @Option(names = "--json", paramLabel = "FILE", description = "Writes the findings to this file, too.")
    private @Nullable Path json;

    @Override
    public Integer call()
            throws IOException
    {
        CommandSpec command = requireNonNull(spec, "spec is null");
        if (!(minutes > 0) || Double.isInfinite(minutes)) {
            throw new ParameterException(command.commandLine(), "--minutes is a number above 0, such as 60, not " + minutes);
        }
        JsonFile file = JsonFile.option(command, json);
        CommandRunner.quietenContainers();
        Console console = new Console(command.commandLine().getOut());
        try (Soak soak = Soak.start(Checkout.find(), seed == null ? System.nanoTime() & 0xFFFFFF : seed, console::progress)) {
            SoakReport report = soak.run(minutes);
            console.print("");
            console.print(report.text());
            file.write(report);
            return report.complaints().isEmpty() ? 0 : 1;
        }
    }
}
