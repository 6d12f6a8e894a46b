// SPDX-License-Identifier: Apache-2.0
package io.eyrie.demo;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

import java.io.PrintWriter;
import java.io.StringWriter;

import static org.assertj.core.api.Assertions.assertThat;

class DemoCommandTest
{
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final CommandLine command = DemoCommand.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));

    @ParameterizedTest
    @ValueSource(strings = {"--scale=0", "--scale=-1", "--scale=NaN", "--scale=Infinity", "--scale=much"})
    void scaleThatIsNone(String argument)
    {
        assertThat(command.execute(argument)).isEqualTo(2);
        assertThat(err.toString()).contains("--scale").contains("Usage: bin/demo");
    }

    @Test
    void jsonFileThatCannotBeWrittenIsFoundOutAtTheStart()
    {
        assertThat(command.execute("--json", "/no/such/folder/demo.json")).isEqualTo(2);
        assertThat(err.toString()).contains("--json").contains("/no/such/folder/demo.json");
    }

    @Test
    void linkThatIsNone()
    {
        assertThat(command.execute("--link=farther")).isEqualTo(2);
        assertThat(err.toString()).contains("--link").contains("[FAR, NEAR, NONE] (case-insensitive)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--nonsense", "nonsense"})
    void argumentThatIsNone(String argument)
    {
        assertThat(command.execute(argument)).isEqualTo(2);
        assertThat(err.toString()).contains("nonsense");
    }

    @Test
    void helpNamesEveryOption()
    {
        assertThat(command.execute("--help")).isZero();
        assertThat(out.toString()).contains("--scale=FACTOR", "0.1", "--link=far|near|none", "default: far", "--json=FILE", "--keep");
    }
}
