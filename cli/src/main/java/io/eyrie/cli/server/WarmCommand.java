// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.server;

import io.eyrie.cli.console.Console;
import io.eyrie.cli.console.JsonFile;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static java.util.Objects.requireNonNull;

/** The command {@code eyrie warm}. */
@Command(name = "warm", mixinStandardHelpOptions = true, sortOptions = false, description = "Follows tables, runs warm_cache for each new partition, and runs queries so that "
        + "their results are cached, by the rules of a file, until you interrupt it. Prints a line for each decision. docs/console.md describes the file.")
public final class WarmCommand
        implements Callable<Integer>
{
    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private ServerOptions options = new ServerOptions();

    @Option(names = "--rules", required = true, paramLabel = "FILE", description = "The rules, as JSON. They name files of queries relative to its directory.")
    private @Nullable Path rulesFile;

    @Option(names = "--state", required = true, paramLabel = "FILE", description = "Stores which partitions and queries are done, so that the next start continues there.")
    private @Nullable Path stateFile;

    @Option(names = "--once", description = "Looks at the tables once, and ends. Exit code 1 if a rule or a query failed.")
    private boolean once;

    @Option(names = "--dry-run", description = "Like --once, but only prints which partitions it would warm, and which queries it would run.")
    private boolean dryRun;

    @Override
    public Integer call()
            throws IOException
    {
        CommandSpec command = requireNonNull(spec, "spec is null");
        JsonFile.check(command, "--state", stateFile);
        WarmRules rules = WarmRules.read(requireNonNull(rulesFile, "rulesFile is null"));
        Path file = requireNonNull(stateFile, "stateFile is null");
        Console out = new Console(command.commandLine().getOut());
        if (dryRun) {
            return follow(command, rules, file, out);
        }
        try (FileChannel lockFile = FileChannel.open(file.resolveSibling(file.getFileName() + ".lock"), CREATE, WRITE);
                FileLock lock = lock(lockFile)) {
            if (lock == null) {
                out.print("Another eyrie warm uses " + file + (once ? ": nothing to do" : ". To fix: end it, or name another file with --state"));
                return once ? 0 : 1;
            }
            return follow(command, rules, file, out);
        }
    }

    private static @Nullable FileLock lock(FileChannel file)
            throws IOException
    {
        try {
            return file.tryLock();
        }
        catch (OverlappingFileLockException e) {
            // of this process
            return null;
        }
    }

    private int follow(CommandSpec command, WarmRules rules, Path file, Console out)
            throws IOException
    {
        WarmState state = WarmState.read(file);
        PrestoServer unused = options.connect(command);
        WarmRounds rounds = new WarmRounds(options.catalog(), rules, state, Clock.system(rules.zone()), out::print, dryRun);
        while (true) {
            // reads the token again, which may have been renewed
            int failures = run(rounds, command);
            if (once || dryRun) {
                return failures == 0 ? 0 : 1;
            }
            try {
                // a millisecond more, so that it is not too early
                TimeUnit.MILLISECONDS.sleep(rounds.pause().toMillis() + 1);
            }
            catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return 0;
            }
        }
    }

    private int run(WarmRounds rounds, CommandSpec command)
            throws IOException
    {
        try {
            return rounds.run(() -> options.connect(command));
        }
        catch (UncheckedIOException e) {
            // without the state, each round would warm everything again
            throw requireNonNull(e.getCause());
        }
    }
}
