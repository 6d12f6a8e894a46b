// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.trace;

import picocli.CommandLine.Command;

/** The command {@code eyrie trace}. */
@Command(name = "trace", mixinStandardHelpOptions = true, synopsisSubcommandLabel = "COMMAND", description = "Analyzes access traces, which a cache writes to cache.trace-directory.", subcommands = {
        TraceStatsCommand.class,
        TraceHashCommand.class})
public final class TraceCommand
{}
