// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class EyrieCommandTest
{
    @Test
    void helpNamesEveryCommand()
    {
        CommandRun run = CommandRun.of("--help");
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("inspect", "verify", "doctor", "simulate", "trace", "query", "top", "Exit codes: 0");
        for (String command : new String[] {"inspect", "verify", "simulate"}) {
            assertThat(CommandRun.of(command, "--help").out()).contains("--json", "--key-file");
        }
        assertThat(CommandRun.of("doctor", "--help").out()).contains("--json", "--engine-config", "--strict", "Exit codes: 0");
        for (String command : new String[] {"query", "top"}) {
            assertThat(CommandRun.of(command, "--help").out()).contains("--server", "--catalog", "--user", "--password", "--token-file");
        }
        assertThat(CommandRun.of("trace", "stats", "--help").out()).contains("--json", "--key-file");
    }

    @Test
    void noCommand()
    {
        CommandRun run = CommandRun.of();
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("Usage: eyrie");
    }

    @Test
    void version()
    {
        CommandRun run = CommandRun.of("--version");
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).startsWith("eyrie ");
    }
}
