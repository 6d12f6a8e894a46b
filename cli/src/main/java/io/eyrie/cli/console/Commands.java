package io.eyrie.cli.console;

import picocli.CommandLine;

import java.util.function.Predicate;

/** How every command runs: 0 is success, 1 a failure, 2 wrong arguments. A failure is told in words where words are enough. */
public final class Commands
{
    private Commands()
    {}

    /**
     * A command's line, to be executed; a caller may turn its output elsewhere.
     *
     * @param speaksForItself failures whose message tells a user all that is to be told, beside {@link ReportedException}
     */
    public static CommandLine of(Object command, Predicate<Exception> speaksForItself)
    {
        return new CommandLine(command).setExecutionExceptionHandler((failure, line, parsed) -> {
            if (!JvmEnd.hasBegun()) {
                line.getErr().println(line.getCommandSpec().qualifiedName() + " failed: " + failure.getMessage());
                if (!(failure instanceof ReportedException) && !speaksForItself.test(failure)) {
                    failure.printStackTrace(line.getErr());
                }
                line.getErr().flush();
            }
            return 1;
        });
    }
}
