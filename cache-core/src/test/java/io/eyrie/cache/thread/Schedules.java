package io.eyrie.cache.thread;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** Runs a program that uses Lincheck in a process of its own, since Lincheck rewrites the classes that it runs. */
public final class Schedules
{
    private static final String DONE = "all schedules end well";

    private Schedules()
    {}

    /** Runs a program, which calls {@link #done} if all went well. */
    public static void run(Class<?> program, String... arguments)
            throws IOException,
            InterruptedException
    {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
                "--add-exports=java.base/jdk.internal.util=ALL-UNNAMED",
                "--add-exports=java.base/sun.security.action=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                program.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        assertThat(output).contains(DONE);
    }

    /** Says that all went well. */
    public static void done()
    {
        System.out.println(DONE);
    }
}
