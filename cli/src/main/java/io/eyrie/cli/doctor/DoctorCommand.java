// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.doctor;

import com.sun.management.OperatingSystemMXBean;
import io.eyrie.cli.console.Console;
import io.eyrie.cli.console.JsonFile;
import io.eyrie.presto.check.Engine;
import io.eyrie.presto.check.Finding;
import io.eyrie.presto.check.SelfCheck;
import io.eyrie.presto.check.Severity;
import io.eyrie.presto.config.CatalogFile;
import io.eyrie.presto.memory.MemoryPlan;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;

/** The command {@code eyrie doctor}. */
@Command(name = "doctor", mixinStandardHelpOptions = true, sortOptions = false, description = "Checks a catalog file, the directories that it names "
        + "and the memory that it configures, and reports how to fix problems. Checks the machine and the user that it runs as: run it on a worker, "
        + "as Presto's user. Changes nothing.", footer = "Exit codes: 0 no error, 1 an error or, with --strict, a warning, 2 wrong arguments.")
public final class DoctorCommand
        implements Callable<Integer>
{
    private static final String SUFFIX = ".properties";
    private static final String CONNECTOR = "connector.name";
    private static final String OURS = "eyrie";

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "The catalog file, such as etc/catalog/hive.properties. Other Eyrie catalogs in its directory are read, "
            + "too, to find conflicts.")
    private @Nullable Path catalog;

    @Option(names = "--engine-config", paramLabel = "FILE", description = "The engine's config.properties: compares the caches' memory with the heap headroom.")
    private @Nullable Path engineConfig;

    @Option(names = "--jvm-config", paramLabel = "FILE", description = "The engine's jvm.config, with the size of the heap. Default: jvm.config next to the engine's config.properties.")
    private @Nullable Path jvmConfig;

    @Option(names = "--strict", description = "Fails on warnings, too.")
    private boolean strict;

    @Option(names = "--json", paramLabel = "FILE", description = "Also writes the findings to this file, as JSON.")
    private @Nullable Path json;

    @Override
    public Integer call()
            throws IOException
    {
        CommandSpec command = requireNonNull(spec, "spec is null");
        JsonFile file = JsonFile.option(command, json);
        Path path = existing("FILE", requireNonNull(catalog, "catalog is null"));
        CatalogFile read = CatalogFile.read(path);
        Engine engine = engine();
        SelfCheck check = new SelfCheck(read, siblings(path));
        List<Finding> findings = new ArrayList<>();
        if (!OURS.equals(read.properties().get(CONNECTOR))) {
            findings.add(new Finding(Severity.ERROR, CONNECTOR, read.properties().getOrDefault(CONNECTOR, "not set"),
                    "this catalog does not use Eyrie", "set " + CONNECTOR + "=" + OURS));
        }
        findings.addAll(check.findings());
        findings.addAll(check.outsideFindings(path));
        findings.addAll(SelfCheck.engineFindings(engine));
        Optional<MemoryPlan> memory = Optional.empty();
        if (engine.heapBytes().isPresent()) {
            long heapBytes = engine.heapBytes().getAsLong();
            findings.addAll(check.memoryFindings(heapBytes, engine));
            memory = check.memory(heapBytes);
        }
        DoctorReport report = DoctorReport.of(path, read.name(), findings, new DoctorReport.Facts(check.added(), engine, memory));
        new Console(command.commandLine().getOut()).print(report.text());
        file.write(report);
        boolean failed = report.errors() > 0 || (strict && report.warnings() > 0);
        return failed ? 1 : 0;
    }

    private Engine engine()
            throws IOException
    {
        if (engineConfig == null && jvmConfig == null) {
            return Engine.UNKNOWN;
        }
        Path jvm = jvmConfig == null
                ? requireNonNull(engineConfig, "engineConfig is null").resolveSibling("jvm.config")
                : existing("--jvm-config", jvmConfig);
        return Engine.read(Optional.ofNullable(engineConfig).map(config -> existing("--engine-config", config)), jvm, machineBytes());
    }

    private static long machineBytes()
    {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean machine ? machine.getTotalMemorySize() : 0;
    }

    private Path existing(String option, Path file)
    {
        if (!Files.isRegularFile(file)) {
            throw new ParameterException(requireNonNull(spec, "spec is null").commandLine(), option + " does not name a file: " + file);
        }
        return file;
    }

    private static List<CatalogFile> siblings(Path file)
            throws IOException
    {
        Path folder = requireNonNull(file.toAbsolutePath().getParent(), "a file has a folder");
        List<CatalogFile> siblings = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path other : files.filter(each -> String.valueOf(each.getFileName()).endsWith(SUFFIX)).sorted().toList()) {
                if (Files.isReadable(other) && Files.isRegularFile(other) && !Files.isSameFile(other, file)) {
                    CatalogFile read = CatalogFile.read(other);
                    if (OURS.equals(read.properties().get(CONNECTOR))) {
                        siblings.add(read);
                    }
                }
            }
        }
        return siblings;
    }
}
