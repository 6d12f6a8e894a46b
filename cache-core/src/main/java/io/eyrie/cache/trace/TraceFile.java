// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.trace;

import io.eyrie.cache.config.ConfigException;
import io.eyrie.cache.crypt.KeyRing;
import io.eyrie.cache.device.OwnPaths;
import io.eyrie.cache.device.UnsafePathException;
import io.eyrie.cache.store.PageKey;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.ReadOutcome;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * A trace of all lookups from the start of a cache to its end, in a file that only its owner may read. It is encrypted if the cache is. If writing fails, only the trace is affected.
 */
public final class TraceFile
        implements Trace
{
    /** About 130 MB. */
    private static final long MOST_LOOKUPS = 1 << 24;
    /** The limit for all traces in a directory, which only an operator deletes. */
    static final long MOST_BYTES = 2L << 30;
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss-SSS", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final System.Logger logger = System.getLogger(TraceFile.class.getName());

    private final Path file;
    private final TraceRecorder recorder;

    private TraceFile(Path file, TraceRecorder recorder)
    {
        this.file = file;
        this.recorder = recorder;
    }

    /** Whether the traces in a directory leave room for another one; logs a warning if not. */
    public static boolean hasRoom(Path directory)
    {
        long bytes = 0;
        try (DirectoryStream<Path> traces = Files.newDirectoryStream(directory, "trace-*.eyrie")) {
            for (Path trace : traces) {
                bytes += Files.size(trace);
            }
        }
        catch (IOException | DirectoryIteratorException e) {
            return true; // create() reports the cause
        }
        if (bytes >= MOST_BYTES) {
            logger.log(Level.WARNING, "No trace is recorded: the traces in " + directory + " take " + bytes + " bytes; the maximum is " + MOST_BYTES
                    + ". Delete or move some");
        }
        return bytes < MOST_BYTES;
    }

    /**
     * Starts a trace {@code trace-<UTC>-<process id>.eyrie} in a directory.
     *
     * @throws ConfigException if that is not possible
     */
    public static TraceFile create(Path directory, Optional<KeyRing> keys)
    {
        try {
            return createIn(OwnPaths.resolveDirectory(directory), keys);
        }
        catch (UnsafePathException e) {
            throw failure(directory, e.problem(), e.fix(), e);
        }
        catch (IOException e) {
            throw failure(directory, "no trace can be written there (" + e + ")",
                    "name an existing directory that this process may write to, or remove the property", e);
        }
    }

    @SuppressWarnings("resource") // the recorder closes it
    private static TraceFile createIn(Path directory, Optional<KeyRing> keys)
            throws IOException
    {
        Path file = directory.resolve("trace-" + TIME.format(Instant.now()) + "-" + ProcessHandle.current().pid() + ".eyrie");
        FileChannel channel = FileChannel.open(
                file,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                OwnPaths.ownerAlone(file, "rw-------"));
        OutputStream out = Channels.newOutputStream(channel);
        boolean begun = false;
        try {
            TraceWriter writer = new TraceWriter(keys.isPresent() ? new SealedOutput(out, keys.get()) : out, false);
            begun = true;
            return new TraceFile(file, new TraceRecorder(writer, System::currentTimeMillis, MOST_LOOKUPS));
        }
        finally {
            if (!begun) {
                channel.close();
                Files.delete(file);
            }
        }
    }

    private static ConfigException failure(Path directory, String problem, String fix, IOException cause)
    {
        ConfigException failure = new ConfigException("traceDirectory", directory.toString(), problem, fix);
        failure.initCause(cause);
        return failure;
    }

    public Path file()
    {
        return file;
    }

    @Override
    public void onLookup(PageKey page, PageTags tags, int pageLengthBytes, int offsetInPage, int lengthBytes, ReadOutcome outcome)
    {
        recorder.onLookup(page, tags, pageLengthBytes, offsetInPage, lengthBytes, outcome);
    }

    /** Ends the trace and logs a summary of it. */
    @Override
    public void close()
    {
        try {
            recorder.close();
        }
        catch (IOException e) {
            logger.log(Level.WARNING, "Writing the trace " + file + " failed", e);
        }
        logger.log(Level.INFO, () -> "The trace " + file + " contains " + recorder.written() + " lookups; " + recorder.lost() + " were lost");
    }
}
