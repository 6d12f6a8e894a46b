// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.trace;

import io.eyrie.cache.config.ConfigException;
import io.eyrie.cache.crypt.KeyRing;
import io.eyrie.cache.store.PageKey;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.ReadOutcome;
import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ForkJoinPool;
import java.util.function.LongSupplier;

import static java.util.Objects.requireNonNull;

/** Records traces on request until a given time, each in its own file. Logs a failure to start a trace. */
public final class TimedTrace
        implements Trace
{
    private static final System.Logger logger = System.getLogger(TimedTrace.class.getName());

    private final Path directory;
    private final Optional<KeyRing> keys;
    private final LongSupplier epochMillis;
    private volatile @Nullable TraceFile file;
    private volatile long untilMillis;
    private boolean closed;

    public TimedTrace(Path directory, Optional<KeyRing> keys, LongSupplier epochMillis)
    {
        this.directory = requireNonNull(directory, "directory is null");
        this.keys = requireNonNull(keys, "keys is null");
        this.epochMillis = requireNonNull(epochMillis, "epochMillis is null");
    }

    @Override
    public synchronized void recordUntil(long endMillis)
    {
        untilMillis = endMillis;
        if (closed || endMillis <= epochMillis.getAsLong()) {
            end();
        }
        else if (file == null && TraceFile.hasRoom(directory)) {
            try {
                file = TraceFile.create(directory, keys);
            }
            catch (ConfigException e) {
                logger.log(Level.WARNING, "No trace is recorded", e);
            }
        }
    }

    @Override
    public void onLookup(PageKey page, PageTags tags, int pageLengthBytes, int offsetInPage, int lengthBytes, ReadOutcome outcome)
    {
        TraceFile current = file;
        if (current == null) {
            return;
        }
        if (epochMillis.getAsLong() < untilMillis) {
            current.onLookup(page, tags, pageLengthBytes, offsetInPage, lengthBytes, outcome);
        }
        else {
            // waits for pending lookups to be written
            ForkJoinPool.commonPool().execute(this::endIfOver);
        }
    }

    private synchronized void endIfOver()
    {
        if (epochMillis.getAsLong() >= untilMillis) {
            end();
        }
    }

    private void end()
    {
        TraceFile current = file;
        file = null;
        if (current != null) {
            current.close();
        }
    }

    @Override
    public synchronized void close()
    {
        closed = true;
        end();
    }
}
