package io.eyrie.cli.console;

import java.util.concurrent.atomic.AtomicBoolean;

/** Knows whether this JVM has been told to end: what fails from then on is no news. */
public final class JvmEnd
{
    private static final AtomicBoolean BEGUN = new AtomicBoolean();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> BEGUN.set(true), "jvm-end"));
    }

    private JvmEnd()
    {}

    /** Whether a signal or {@code System.exit} has come, since this was first asked. */
    public static boolean hasBegun()
    {
        return BEGUN.get();
    }
}
