package io.eyrie.cache.trace;

/** Writes what it hears, to the end. */
public interface Trace
        extends TraceListener, AutoCloseable
{
    @Override
    void close();
}
