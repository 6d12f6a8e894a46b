// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.demo;

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
import java.util.concurrent.CountDownLatch;

import static java.util.Objects.requireNonNull;

/** {@code bin/demo}. */
@Command(name = "bin/demo", mixinStandardHelpOptions = true, sortOptions = false, description = "Runs TPC-H on S3 through Presto with the Eyrie plugin: without cache, cold and warm.")
public final class DemoCommand
        implements Callable<Integer>
{
    private static final String SCHEMA = "tpch";
    private static final int WARM_RUNS = 3;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(names = "--scale", paramLabel = "FACTOR", description = "TPC-H's scale factor, ${DEFAULT-VALUE} if nothing is said.")
    private double scale = 0.1;

    @Option(names = "--json", paramLabel = "FILE", description = "Writes the numbers to this file, too.")
    private @Nullable Path json;

    @Option(names = "--keep", description = "Leaves the cluster up, until Ctrl-C, and says how to connect to it.")
    private boolean keep;

    @SuppressWarnings("UnusedVariable") // picocli reads it
    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Says this.")
    private boolean help;

    public static void main(String[] arguments)
    {
        System.exit(CommandRunner.of(new DemoCommand()).execute(arguments));
    }

    @Override
    public Integer call()
            throws IOException,
            InterruptedException
    {
        CommandSpec command = requireNonNull(spec, "spec is null");
        if (!(scale > 0) || Double.isInfinite(scale)) {
            throw new ParameterException(command.commandLine(), "--scale is a number above 0, such as 0.1, not " + scale);
        }
        JsonFile file = JsonFile.option(command, json);
        Console console = new Console(command.commandLine().getOut());
        try (DemoCluster cluster = DemoCluster.start(Checkout.find(), "demo", console::progress)) {
            cluster.createTables(SCHEMA, scale);
            DemoRun run = new DemoRun(cluster, SCHEMA, console::progress);
            run.warmUp();
            DemoReport report = new DemoReport(scale, DemoCluster.WORKERS, WARM_RUNS, DemoCluster.link(), run.run(WARM_RUNS));
            console.print("");
            console.print(report.table());
            file.write(report);
            if (keep) {
                console.print("");
                console.print(cluster.howToConnect(SCHEMA));
                new CountDownLatch(1).await();
            }
        }
        return 0;
    }
}
