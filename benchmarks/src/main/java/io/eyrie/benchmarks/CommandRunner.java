// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks;

import io.eyrie.cli.console.Commands;
import io.eyrie.testing.client.QueryFailedException;
import io.eyrie.testing.presto.PrestoStartException;
import picocli.CommandLine;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Runs the benchmark commands: as {@link Commands} does, and reports failures of the harness as messages without a stack trace. */
public final class CommandRunner
{
    // strong references, because a logger that is garbage-collected loses its level
    private static final List<Logger> CONTAINERS = List.of(Logger.getLogger("org.testcontainers"), Logger.getLogger("tc"));

    private CommandRunner()
    {}

    /** Removes testcontainers' log messages from a command's output. */
    public static void quietenContainers()
    {
        CONTAINERS.forEach(logger -> logger.setLevel(Level.SEVERE));
    }

    /** Returns a command's command line, ready to execute. The caller may redirect its output. */
    public static CommandLine of(Callable<Integer> command)
    {
        return Commands.of(command, failure -> failure instanceof PrestoStartException || failure instanceof QueryFailedException);
    }
}
