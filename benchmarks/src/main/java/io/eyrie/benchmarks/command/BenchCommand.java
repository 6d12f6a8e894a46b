// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.command;

import io.eyrie.benchmarks.CommandRunner;
import io.eyrie.benchmarks.bench.AffinityBenchmark;
import io.eyrie.benchmarks.bench.BenchReport;
import io.eyrie.benchmarks.bench.BenchResult;
import io.eyrie.benchmarks.bench.Benchmark;
import io.eyrie.benchmarks.bench.DemoWarmBenchmark;
import io.eyrie.benchmarks.bench.FinerLookupBenchmark;
import io.eyrie.benchmarks.bench.FirstReadBenchmark;
import io.eyrie.benchmarks.bench.FragmentBenchmark;
import io.eyrie.benchmarks.bench.MetadataBenchmark;
import io.eyrie.benchmarks.bench.PlacementBenchmark;
import io.eyrie.benchmarks.bench.PlanningBenchmark;
import io.eyrie.benchmarks.footer.FooterBenchmark;
import io.eyrie.benchmarks.micro.ContentionBenchmark;
import io.eyrie.benchmarks.micro.IndexMemoryBenchmark;
import io.eyrie.benchmarks.micro.PageReadBenchmark;
import io.eyrie.benchmarks.micro.PageWriteBenchmark;
import io.eyrie.benchmarks.micro.RecoveryBenchmark;
import io.eyrie.benchmarks.replay.EvictionReplayBenchmark;
import io.eyrie.benchmarks.report.ReportCommand;
import io.eyrie.benchmarks.soak.SoakCommand;
import io.eyrie.benchmarks.throughput.ThroughputBenchmark;
import io.eyrie.cli.console.Console;
import io.eyrie.cli.console.JsonFile;
import io.eyrie.cli.console.TextTable;
import io.eyrie.testing.lake.Checkout;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

import static java.util.Objects.requireNonNull;

/** {@code bin/bench}. Its exit code is 0 when a benchmark has run, whether or not its bars hold. */
@Command(name = "bin/bench", subcommands = {SoakCommand.class,
        ReportCommand.class}, mixinStandardHelpOptions = true, sortOptions = false, description = "Runs a benchmark; each result names its peer, the ratio and the spread.")
public final class BenchCommand
        implements Callable<Integer>
{
    private static final List<Benchmark> BENCHMARKS = List.of(
            new DemoWarmBenchmark(),
            new PageReadBenchmark(),
            new PageWriteBenchmark(),
            new IndexMemoryBenchmark(),
            new RecoveryBenchmark(),
            new EvictionReplayBenchmark(),
            new ContentionBenchmark(),
            new FooterBenchmark(),
            new PlacementBenchmark(),
            new AffinityBenchmark(),
            new FirstReadBenchmark(),
            new MetadataBenchmark(),
            new FragmentBenchmark(),
            new FinerLookupBenchmark(),
            new PlanningBenchmark(),
            new ThroughputBenchmark());

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(arity = "0..1", paramLabel = "NAME", description = "The benchmark to run.")
    private @Nullable String name;

    @Option(names = "--list", description = "Lists the benchmarks.")
    private boolean list;

    @Option(names = "--quick", description = "Fewer repeats: for a look, not for a document.")
    private boolean quick;

    @Option(names = "--json", paramLabel = "FILE", description = "Writes the results to this file, too.")
    private @Nullable Path json;

    @SuppressWarnings("UnusedVariable") // picocli reads it
    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Says this.")
    private boolean help;

    public static void main(String[] arguments)
    {
        System.exit(CommandRunner.of(new BenchCommand()).execute(arguments));
    }

    @Override
    public Integer call()
            throws IOException
    {
        CommandSpec command = requireNonNull(spec, "spec is null");
        Console console = new Console(command.commandLine().getOut());
        if (list) {
            console.print(list());
            return 0;
        }
        Benchmark benchmark = benchmark(command);
        JsonFile file = JsonFile.option(command, json);
        int repeats = benchmark.repeats(quick);
        console.progress(benchmark.name() + ": " + benchmark.question());
        console.progress(repeats + " repeats");
        List<BenchResult> results = benchmark.run(Checkout.find(), repeats, console::progress);
        BenchReport report = BenchReport.of(benchmark.name(), quick, repeats, results);
        console.print("");
        console.print(report.table());
        file.write(report);
        return 0;
    }

    private Benchmark benchmark(CommandSpec command)
    {
        return BENCHMARKS.stream()
                .filter(candidate -> candidate.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new ParameterException(
                        command.commandLine(),
                        (name == null ? "Which benchmark?" : "There is no benchmark " + name + ".") + " --list names them"));
    }

    private static String list()
    {
        TextTable table = new TextTable(4, "benchmark", "repeats", "--quick", "question");
        for (Benchmark benchmark : BENCHMARKS) {
            table.row(
                    benchmark.name(),
                    Integer.toString(benchmark.repeats(false)),
                    Integer.toString(benchmark.repeats(true)),
                    benchmark.question());
        }
        return table.render();
    }
}
