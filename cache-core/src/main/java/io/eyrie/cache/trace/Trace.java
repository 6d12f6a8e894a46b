// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.trace;

/** Writes the lookups it receives to a trace until it is closed. */
public interface Trace
        extends TraceListener, AutoCloseable
{
    @Override
    void close();
}
