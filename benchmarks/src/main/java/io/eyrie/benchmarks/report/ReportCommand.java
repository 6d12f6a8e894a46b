// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.eyrie.benchmarks.CommandRunner;
import io.eyrie.benchmarks.bench.BenchReport;
import io.eyrie.benchmarks.report.Experiment.Setup;
import io.eyrie.cli.console.Console;
import io.eyrie.testing.lake.Checkout;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;

import static java.util.Objects.requireNonNull;

/** {@code bin/bench report}. Its exit code is 1 if a cell could not be measured; a missed bar only appears in the report. */
@Command(name = "report", mixinStandardHelpOptions = true, sortOptions = false, description = {
        "Measures the experiments of the field cell by cell, and writes report.md, report.json, the plot report.svg and the page report.html.",
        "Cells that were measured before are not measured again, so a report that was stopped continues where it stopped."})
public final class ReportCommand
        implements Callable<Integer>
{
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    private static final double MILLIS_PER_MINUTE = 60_000;
    private final List<Experiment> experiments;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(names = "--quick", description = "Measures a subset in about half an hour, with smaller tables, fewer cells and fewer repeats. Do not publish its figures.")
    private boolean quick;

    @Option(names = "--only", paramLabel = "NAME", description = "Measures only this experiment, or one cell of it such as tpch/far-orc; may be repeated. The report also contains earlier measurements.")
    private List<String> only = List.of();

    @Option(names = "--fresh", description = "Repeats earlier measurements.")
    private boolean fresh;

    @Option(names = "--render", description = "Measures nothing: writes the report from earlier measurements.")
    private boolean render;

    @Option(names = "--list", description = "Lists the cells, and which of them were measured.")
    private boolean list;

    @Option(names = "--output", paramLabel = "FOLDER", description = "The folder for the report. Default: docs/benchmarks and, for the page, target/bench/report; with --quick, target/bench/report-quick.")
    private @Nullable Path output;

    /** Creates the command with all experiments. */
    public ReportCommand()
    {
        this(List.of(
                new TpchExperiment(),
                new SsbExperiment(),
                new TpcdsExperiment(),
                new SlidingWindowExperiment(),
                new PagecountsExperiment(),
                new AnalystExperiment(),
                new S3SelectExperiment(),
                new MetadataExperiment(),
                new ScaleExperiment()));
    }

    ReportCommand(List<Experiment> experiments)
    {
        this.experiments = List.copyOf(experiments);
    }

    @Override
    public Integer call()
            throws IOException
    {
        CommandSpec command = requireNonNull(spec, "spec is null");
        List<String> names = experiments.stream().flatMap(experiment -> experiment.cells(quick).stream().map(cell -> name(experiment, cell)))
                .toList();
        for (String wanted : only) {
            if (names.stream().noneMatch(name -> isNamed(name, wanted))) {
                throw new ParameterException(command.commandLine(), "--only names an experiment or a cell, not " + wanted + "; there are "
                        + String.join(", ", names) + (quick ? " with --quick" : ""));
            }
        }
        CommandRunner.quietenContainers();
        Console console = new Console(command.commandLine().getOut());
        Checkout checkout = Checkout.find();
        Path work = checkout.root().resolve("target/bench").resolve(quick ? "report-quick" : "report");
        CellStore store = new CellStore(work.resolve("cells"));
        if (list) {
            for (Experiment experiment : experiments) {
                for (String cell : experiment.cells(quick)) {
                    console.print(name(experiment, cell) + store.find(experiment.name(), cell)
                            .map(report -> ": measured " + report.started() + ", commit " + report.report().commit())
                            .orElse(""));
                }
            }
            return 0;
        }
        Map<String, String> failures = render ? Map.of() : measure(checkout, store, console);
        Path folder = output != null ? output : quick ? work : checkout.root().resolve("docs/benchmarks");
        // too large for the repository
        Path html = (output == null ? work : folder).resolve("report.html");
        Files.createDirectories(folder);
        Files.createDirectories(html.getParent());
        ReportPage page = page(store, failures, CellStore.published(folder.resolve("report.json")), checkout.root().resolve(
                "docs/benchmarks/remarks"));
        Files.writeString(folder.resolve("report.json"), JSON.writeValueAsString(page.cells()) + "\n");
        Files.writeString(folder.resolve("report.md"), page.markdown());
        Optional<String> svg = page.svg();
        if (svg.isPresent()) {
            Files.writeString(folder.resolve("report.svg"), svg.get());
        }
        Files.writeString(html, page.html());
        console.print("");
        console.print(page.summary());
        console.print("Wrote report.md, report.json and report.svg to " + folder + ", and " + html);
        return failures.isEmpty() ? 0 : 1;
    }

    /* If a cell fails, the others are still measured. */
    private Map<String, String> measure(Checkout checkout, CellStore store, Console console)
            throws IOException
    {
        Map<String, String> failures = new TreeMap<>();
        for (Experiment experiment : experiments) {
            for (String cell : experiment.cells(quick)) {
                String name = name(experiment, cell);
                boolean wanted = only.isEmpty() || only.stream().anyMatch(one -> isNamed(name, one));
                if (!wanted || (!fresh && store.find(experiment.name(), cell).isPresent())) {
                    continue;
                }
                console.progress(name + ": " + experiment.repeats(quick) + " repeats");
                try {
                    store.put(measure(checkout, experiment, cell, console));
                }
                catch (RuntimeException | AssertionError e) {
                    console.progress(name + " failed: " + e);
                    failures.put(name, String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
                }
            }
        }
        return failures;
    }

    private CellReport measure(Checkout checkout, Experiment experiment, String cell, Console console)
    {
        Findings findings = new Findings(console::progress);
        Instant start = Instant.now();
        int repeats = experiment.repeats(quick);
        experiment.measure(cell, new Setup(checkout, quick, repeats, console::progress), findings);
        findings.noteProfiles();
        return new CellReport(
                cell,
                start.truncatedTo(ChronoUnit.SECONDS).toString(),
                start.until(Instant.now(), ChronoUnit.MILLIS) / MILLIS_PER_MINUTE,
                findings.notes(),
                findings.samples(),
                BenchReport.of(experiment.name(), quick, repeats, findings.results()));
    }

    /* A cell that was not measured here remains as published, with its machine and commit. */
    private ReportPage page(CellStore store, Map<String, String> failures, List<CellReport> published, Path remarks)
            throws IOException
    {
        List<CellReport> measured = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        Map<String, String> questions = new TreeMap<>();
        Map<String, String> remarked = new TreeMap<>();
        for (Experiment experiment : experiments) {
            questions.put(experiment.name(), experiment.question());
            Path written = remarks.resolve(experiment.name() + ".md");
            if (Files.exists(written)) {
                remarked.put(experiment.name(), Files.readString(written).strip());
            }
            for (String cell : experiment.cells(quick)) {
                String name = name(experiment, cell);
                Optional<CellReport> report = store.find(experiment.name(), cell)
                        .or(() -> published.stream()
                                .filter(one -> !failures.containsKey(name) && one.isOf(experiment.name(), cell) && one.report().quick() == quick)
                                .findFirst());
                report.ifPresentOrElse(measured::add, () -> missing.add(failures.containsKey(name)
                        ? name + " (failed: " + failures.get(name) + ")"
                        : name));
            }
        }
        return new ReportPage(quick, questions, remarked, measured, missing);
    }

    private static String name(Experiment experiment, String cell)
    {
        return experiment.name() + "/" + cell;
    }

    private static boolean isNamed(String name, String wanted)
    {
        return name.equals(wanted) || name.startsWith(wanted + "/");
    }
}
