// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.console;

import picocli.CommandLine;

import java.util.function.Predicate;

/** Runs commands with common exit codes: 0 is success, 1 a failure, 2 wrong arguments. Prints a failure without a stack trace if its message is sufficient. */
public final class Commands
{
    private Commands()
    {}

    /**
     * Returns a command line to execute; a caller may redirect its output.
     *
     * @param speaksForItself failures whose message is sufficient for a user, in addition to {@link ReportedException}
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
