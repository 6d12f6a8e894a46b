package io.eyrie.benchmarks;

import io.eyrie.cli.console.Commands;
import io.eyrie.testing.client.QueryFailedException;
import io.eyrie.testing.presto.PrestoStartException;
import picocli.CommandLine;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import java.util.logging.Logger;

/** How the commands here run: as {@link Commands} says, with the failures of the harness told in words. */
public final class CommandRunner
{
    // held, as a level is lost with its logger
    private static final List<Logger> CONTAINERS = List.of(Logger.getLogger("org.testcontainers"), Logger.getLogger("tc"));

    private CommandRunner()
    {}

    /** Keeps what testcontainers says of its work out of a command's output. */
    public static void quietenContainers()
    {
        CONTAINERS.forEach(logger -> logger.setLevel(Level.SEVERE));
    }

    /** A command's line, to be executed; a caller may turn its output elsewhere. */
    public static CommandLine of(Callable<Integer> command)
    {
        return Commands.of(command, failure -> failure instanceof PrestoStartException || failure instanceof QueryFailedException);
    }
}
