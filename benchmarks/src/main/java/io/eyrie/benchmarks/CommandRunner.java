package io.eyrie.benchmarks;

import io.eyrie.cli.console.Commands;
import io.eyrie.testing.client.QueryFailedException;
import io.eyrie.testing.presto.PrestoStartException;
import picocli.CommandLine;

import java.util.concurrent.Callable;

/** How the commands here run: as {@link Commands} says, with the failures of the harness told in words. */
public final class CommandRunner
{
    private CommandRunner()
    {}

    /** A command's line, to be executed; a caller may turn its output elsewhere. */
    public static CommandLine of(Callable<Integer> command)
    {
        return Commands.of(command, failure -> failure instanceof PrestoStartException || failure instanceof QueryFailedException);
    }
}
