package io.eyrie.benchmarks;

import io.eyrie.benchmarks.console.JvmEnd;
import io.eyrie.testing.client.QueryFailedException;
import io.eyrie.testing.presto.PrestoStartException;
import picocli.CommandLine;

import java.util.concurrent.Callable;

/** How every command here runs: 0 is success, 1 a failure, 2 wrong arguments. A failure is told in words where words are enough. */
public final class CommandRunner
{
    private CommandRunner()
    {}

    /** A command's line, to be executed; a caller may turn its output elsewhere. */
    public static CommandLine of(Callable<Integer> command)
    {
        return new CommandLine(command).setExecutionExceptionHandler((failure, line, parsed) -> {
            if (!JvmEnd.hasBegun()) {
                line.getErr().println(line.getCommandName() + " failed: " + failure.getMessage());
                if (!speaksForItself(failure)) {
                    failure.printStackTrace(line.getErr());
                }
                line.getErr().flush();
            }
            return 1;
        });
    }

    private static boolean speaksForItself(Exception failure)
    {
        return failure instanceof ReportedException || failure instanceof PrestoStartException || failure instanceof QueryFailedException;
    }
}
