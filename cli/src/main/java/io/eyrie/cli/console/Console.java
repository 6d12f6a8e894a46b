// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.console;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.LongSupplier;

import static java.util.Objects.requireNonNull;

/** Writes results, and progress lines with the seconds since the command began, until the JVM begins to shut down. Thread-safe. */
public final class Console
{
    private static final double NANOS_PER_SECOND = 1e9;

    private final PrintWriter out;
    private final LongSupplier nanos;
    private final long startNanos;

    public Console(PrintWriter out)
    {
        this(out, System::nanoTime);
    }

    Console(PrintWriter out, LongSupplier nanos)
    {
        this.out = requireNonNull(out, "out is null");
        this.nanos = requireNonNull(nanos, "nanos is null");
        this.startNanos = nanos.getAsLong();
    }

    /** Reports a current or completed step. */
    public void progress(String message)
    {
        double seconds = (nanos.getAsLong() - startNanos) / NANOS_PER_SECOND;
        print(String.format(Locale.ROOT, "[%6.1f s] %s", seconds, message));
    }

    /** Writes text unchanged, and a line separator. */
    public synchronized void print(String text)
    {
        if (!JvmEnd.hasBegun()) {
            out.println(text);
            out.flush();
        }
    }
}
