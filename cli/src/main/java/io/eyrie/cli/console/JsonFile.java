// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.console;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The file that the option {@code --json} names, if given. */
public final class JsonFile
{
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private final @Nullable Path path;

    private JsonFile(@Nullable Path path)
    {
        this.path = path;
    }

    /** Returns the file of the option's value, after a check. */
    public static JsonFile option(CommandSpec command, @Nullable Path value)
    {
        check(command, "--json", value);
        return new JsonFile(value);
    }

    /** Checks that the file of an option, if given, can be written, so that a command does not run for minutes before it finds that it cannot write. */
    public static void check(CommandSpec command, String option, @Nullable Path value)
    {
        if (value != null) {
            Path absolute = value.toAbsolutePath();
            Path folder = absolute.getParent();
            if (folder == null || !Files.isDirectory(folder) || Files.isDirectory(absolute) || !Files.isWritable(Files.exists(absolute)
                    ? absolute
                    : folder)) {
                throw new ParameterException(command.commandLine(), option + " names a file that cannot be written: " + value);
            }
        }
    }

    /** Writes the value as JSON, if the option was given. */
    public void write(Object value)
            throws IOException
    {
        if (path != null) {
            Files.writeString(path, JSON.writeValueAsString(value) + "\n");
        }
    }
}
