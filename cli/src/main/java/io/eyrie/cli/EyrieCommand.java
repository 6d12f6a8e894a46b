// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli;

import io.eyrie.cache.config.ConfigException;
import io.eyrie.cli.console.Commands;
import io.eyrie.cli.doctor.DoctorCommand;
import io.eyrie.cli.server.QueryCommand;
import io.eyrie.cli.server.TopCommand;
import io.eyrie.cli.server.WarmCommand;
import io.eyrie.cli.store.InspectCommand;
import io.eyrie.cli.store.VerifyCommand;
import io.eyrie.cli.trace.SimulateCommand;
import io.eyrie.cli.trace.TraceCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

import java.io.IOException;

import static java.util.Objects.requireNonNullElse;

/** The command {@code eyrie}. Exit codes: 0 is success, 1 a failure, or damage or an error that was found, 2 wrong arguments. */
@Command(name = "eyrie", mixinStandardHelpOptions = true, versionProvider = EyrieCommand.Version.class, synopsisSubcommandLabel = "COMMAND", description = "Inspects cache directories, access traces, catalog files and running catalogs of Eyrie, and warms caches.", subcommands = {
        InspectCommand.class,
        VerifyCommand.class,
        DoctorCommand.class,
        SimulateCommand.class,
        TraceCommand.class,
        QueryCommand.class,
        TopCommand.class,
        WarmCommand.class}, footer = "Exit codes: 0 success, 1 a failure, or damage or an error that was found, 2 wrong arguments.")
public final class EyrieCommand
{
    /** Provides the version that {@code --version} prints. */
    static final class Version
            implements IVersionProvider
    {
        @Override
        public String[] getVersion()
        {
            String version = EyrieCommand.class.getPackage().getImplementationVersion();
            return new String[] {"eyrie " + requireNonNullElse(version, "(development build without a version)")};
        }
    }

    public static void main(String[] arguments)
    {
        System.exit(line().execute(arguments));
    }

    /** Returns a command line to execute; a caller may redirect its output. */
    static CommandLine line()
    {
        return Commands.of(new EyrieCommand(), failure -> failure instanceof IOException || failure instanceof ConfigException);
    }
}
