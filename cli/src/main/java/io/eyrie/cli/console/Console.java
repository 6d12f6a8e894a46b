package io.eyrie.cli.console;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.LongSupplier;

import static java.util.Objects.requireNonNull;

/** Writes progress lines, each with the seconds since the command began, and results, until the JVM is told to end. Thread-safe. */
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

    /** Says what happens now, or what just happened. */
    public void progress(String message)
    {
        double seconds = (nanos.getAsLong() - startNanos) / NANOS_PER_SECOND;
        print(String.format(Locale.ROOT, "[%6.1f s] %s", seconds, message));
    }

    /** Writes text as it is, and a line's end. */
    public synchronized void print(String text)
    {
        if (!JvmEnd.hasBegun()) {
            out.println(text);
            out.flush();
        }
    }
}
