// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** A run of the command: its exit code and its output. */
public record CommandRun(int exitCode, String out, String err)
{
    /** Runs {@code eyrie} with these arguments. */
    public static CommandRun of(Object... arguments)
    {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode = EyrieCommand.line()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(Arrays.stream(arguments).map(String::valueOf).toArray(String[]::new));
        return new CommandRun(exitCode, out.toString(), err.toString());
    }

    /** Returns the contents of a file that a run wrote. */
    public static JsonNode json(Path file)
    {
        try {
            return new ObjectMapper().readTree(Files.readString(file));
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
