// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.thread;

import kotlin.jvm.functions.Function1;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/** Runs a program that uses Lincheck in a separate process, because Lincheck rewrites the classes that it runs. */
public final class Schedules
{
    private static final String DONE = "all schedules end well";
    private static final long TIMEOUT_MILLIS = TimeUnit.MINUTES.toMillis(5);

    private Schedules()
    {}

    /** Runs a program, which calls {@link #done} if it succeeded. */
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

    /** Runs actions concurrently, each on its own thread, until all have ended. */
    public static void together(Runnable... actions)
    {
        // without streams, in which Lincheck loses track of threads
        List<Thread> threads = new ArrayList<>();
        for (Runnable action : actions) {
            Thread thread = new Thread(action);
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            try {
                thread.join();
            }
            catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /**
     * Explores schedules of a data structure under Lincheck. A method named {@code open} of its class or its superclass runs uninterrupted.
     *
     * @param arguments the number of scenarios, and of schedules of each
     * @param ignored prefixes of the names of classes that Lincheck neither rewrites nor interrupts
     */
    public static void check(Class<?> operations, Class<?> specification, String[] arguments, String... ignored)
    {
        ModelCheckingOptions options = new ModelCheckingOptions();
        options.iterations(Integer.parseInt(arguments[0]));
        options.invocationsPerIteration(Integer.parseInt(arguments[1]));
        // few actors, starting empty: with more, most schedules are spent before two threads meet
        options.threads(2);
        options.actorsPerThread(2);
        options.actorsBefore(0);
        options.actorsAfter(1);
        options.sequentialSpecification(specification);
        // Lincheck includes the time in which it rewrites classes, and its 30 s are too few on a busy machine; the setter is internal to its Kotlin
        // module
        options.invocationTimeout$lincheck(TIMEOUT_MILLIS);
        Function1<String, Boolean> isIgnored = name -> Arrays.stream(ignored).anyMatch(name::startsWith);
        options.addGuarantee(ManagedStrategyGuaranteeKt.forClasses(isIgnored).allMethods().ignore());
        options.addGuarantee(ManagedStrategyGuaranteeKt.forClasses(operations.getName(), operations.getSuperclass().getName()).methods("open")
                .ignore());
        options.check(operations);
    }

    /** Prints that the program succeeded. */
    public static void done()
    {
        System.out.println(DONE);
    }

    /** The expected results of operations that check themselves, in any order. */
    public static final class AlwaysTrue
    {
        public boolean read()
        {
            return true;
        }

        public boolean change()
        {
            return true;
        }
    }
}
