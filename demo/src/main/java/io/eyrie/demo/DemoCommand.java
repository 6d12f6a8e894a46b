// SPDX-License-Identifier: Apache-2.0
package io.eyrie.demo;

import io.eyrie.cli.console.Commands;
import io.eyrie.cli.console.Console;
import io.eyrie.cli.console.JsonFile;
import io.eyrie.testing.client.QueryFailedException;
import io.eyrie.testing.files.FullDiskException;
import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.presto.PrestoStartException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import static java.util.Objects.requireNonNull;

/** {@code bin/demo}. */
@Command(name = "bin/demo", mixinStandardHelpOptions = true, sortOptions = false, description = "Runs TPC-H on S3 through Presto with the Eyrie plugin: without cache, cold and warm.")
public final class DemoCommand
        implements Callable<Integer>
{
    private static final int WARM_RUNS = 3;
    private static final int MOST_SECONDS_TO_END = 30;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(names = "--scale", paramLabel = "FACTOR", description = "TPC-H's scale factor; default: ${DEFAULT-VALUE}.")
    private double scale = 0.1;

    @Option(names = "--link", paramLabel = "far|near|none", description = "The link to S3: far takes 100 ms a request and has 10 MB/s a connection, near 30 ms and 50 MB/s; default: ${DEFAULT-VALUE}.")
    private DemoLink link = DemoLink.FAR;

    @Option(names = "--json", paramLabel = "FILE", description = "Also writes the numbers to this file.")
    private @Nullable Path json;

    @Option(names = "--keep", description = "Leaves the cluster up, until Ctrl-C, and shows what to try next.")
    private boolean keep;

    @SuppressWarnings("UnusedVariable") // picocli reads it
    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Shows this.")
    private boolean help;

    public static void main(String[] arguments)
    {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine()
    {
        return Commands.of(new DemoCommand(), failure -> failure instanceof PrestoStartException || failure instanceof QueryFailedException
                || failure instanceof FullDiskException)
                .setCaseInsensitiveEnumValuesAllowed(true);
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
        try (DemoCluster cluster = start(console)) {
            cluster.createTables(scale);
            cluster.warmUp();
            cluster.shape(link);
            DemoReport report = new DemoReport(scale, WARM_RUNS, link, new DemoRun(cluster, console::progress).run(WARM_RUNS));
            console.print("");
            console.print(report.screen());
            file.write(report);
            if (json != null) {
                console.print("The numbers are in " + json + ".");
            }
            if (keep) {
                console.print("");
                console.print("The cluster stays up until Ctrl-C. Try next, in another terminal:");
                console.print("");
                cluster.commandsToTry().forEach(next -> console.print("  " + next));
                console.print("");
                console.print("bin/presto alone reads SQL from the terminal. Web page: " + cluster.webPage());
                new CountDownLatch(1).await();
            }
        }
        return 0;
    }

    /* Ctrl-C leaves nothing behind, either: it ends the cluster or, before there is one, interrupts the start, which then ends what it has started. */
    private static DemoCluster start(Console console)
    {
        CompletableFuture<Optional<DemoCluster>> started = new CompletableFuture<>();
        Thread starting = Thread.currentThread();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            if (!started.isDone()) {
                starting.interrupt();
            }
            started.completeOnTimeout(Optional.empty(), MOST_SECONDS_TO_END, TimeUnit.SECONDS).join().ifPresent(DemoCluster::close);
        }, "demo-shutdown"));
        try {
            DemoCluster cluster = DemoCluster.start(Checkout.find(), "demo", console::progress);
            started.complete(Optional.of(cluster));
            return cluster;
        }
        finally {
            started.complete(Optional.empty());
        }
    }
}
