// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.store;

import io.eyrie.cache.crypt.KeyRing;
import io.eyrie.cache.device.DirectoryOwner;
import io.eyrie.cache.inspection.StoreInspection;
import io.eyrie.cache.inspection.Verification;
import io.eyrie.cli.console.Console;
import io.eyrie.cli.console.JsonFile;
import io.eyrie.cli.console.ReportedException;
import io.eyrie.cli.console.Words;
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
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

import static java.util.Objects.requireNonNull;

/** The command {@code eyrie verify}. */
@Command(name = "verify", mixinStandardHelpOptions = true, sortOptions = false, description = "Reads everything in cache directories and verifies "
        + "the checksums. Changes nothing and takes no lock. The result is exact if no owner is running; otherwise apparent damage is checked again.")
public final class VerifyCommand
        implements Callable<Integer>
{
    private static final long NANOS_PER_MESSAGE = TimeUnit.SECONDS.toNanos(5);

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(arity = "1..*", paramLabel = "DIR", description = "Cache directories, as in cache.base-directory.")
    private List<Path> directories = List.of();

    @Option(names = "--wait", paramLabel = "SECONDS", description = "If an owner is running: how long to wait for its journal before checking apparent "
            + "damage again. Default: ${DEFAULT-VALUE}.")
    private int waitSeconds = 3;

    @Mixin
    private KeyFiles keys = new KeyFiles();

    @Option(names = "--json", paramLabel = "FILE", description = "Also writes the findings to this file, as JSON.")
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
        List<VerifyReport> reports = new ArrayList<>();
        for (Path directory : directories) {
            VerifyReport report = verify(directory, ring, progress);
            out.print(report.text());
            reports.add(report);
        }
        file.write(reports);
        return reports.stream().allMatch(VerifyReport::good) ? 0 : 1;
    }

    private VerifyReport verify(Path directory, Optional<KeyRing> ring, Console progress)
            throws IOException
    {
        progress.progress("verifying " + directory);
        Verification found = StoreInspection.verify(directory, ring, () -> pause(directory, progress), told(directory, progress));
        // checked last, too, so that an owner that started meanwhile is reported
        return VerifyReport.of(directory, DirectoryOwner.of(directory), found);
    }

    private static LongConsumer told(Path directory, Console progress)
    {
        long[] last = {System.nanoTime()};
        return bytes -> {
            if (System.nanoTime() - last[0] >= NANOS_PER_MESSAGE) {
                last[0] = System.nanoTime();
                progress.progress(directory + ": " + Words.size(bytes) + " read");
            }
        };
    }

    private void pause(Path directory, Console progress)
    {
        try {
            if (DirectoryOwner.of(directory).mayBeRunning()) {
                progress.progress("some data appears damaged; checking again in " + waitSeconds + " s, when the owner has journaled its changes");
                TimeUnit.SECONDS.sleep(waitSeconds);
            }
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ReportedException("interrupted");
        }
        catch (IOException e) {
            throw new ReportedException("Reading the owner of " + directory + " failed: " + e);
        }
    }
}
