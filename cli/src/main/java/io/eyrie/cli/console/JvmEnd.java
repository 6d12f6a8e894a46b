// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.console;

import java.util.concurrent.atomic.AtomicBoolean;

/** Detects whether the JVM is shutting down: failures after that are not reported. */
public final class JvmEnd
{
    private static final AtomicBoolean BEGUN = new AtomicBoolean();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> BEGUN.set(true), "jvm-end"));
    }

    private JvmEnd()
    {}

    /** Returns whether a signal or {@code System.exit} has begun the shutdown, since this was first called. */
    public static boolean hasBegun()
    {
        return BEGUN.get();
    }
}
