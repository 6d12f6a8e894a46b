// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.micro;

import io.eyrie.cache.page.CachedFile;
import io.eyrie.cache.page.PageCache;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Finds, with Flight Recorder, threads that wait while a cache serves hits. */
final class HitPath
{
    private static final List<String> WAITS = List.of("jdk.JavaMonitorEnter", "jdk.JavaMonitorWait", "jdk.ThreadPark");
    private static final int READ_BYTES = 8 << 10;
    private static final int LEAST_READS = 100;
    private static final int MOST_FRAMES = 12;

    private final CacheVariant variant;
    private final int filePages;

    HitPath(CacheVariant variant, int filePages)
    {
        this.variant = variant;
        this.filePages = filePages;
    }

    /** Returns each kind of wait during a read, with its place; empty if there was none. The directory must exist. */
    List<String> waits(int threads, Effort effort, Path directory)
    {
        SyntheticFile file = new SyntheticFile("/hit-path", filePages * PageReads.PAGE_BYTES);
        try (PageCache cache = variant.open(directory, 4L * (filePages + 16) * PageReads.PAGE_BYTES, PageReads.PAGE_BYTES);
                CachedFile cached = file.open(cache)) {
            CacheFiller.fill(cached, file);
            // load classes and initialize lazy objects before recording
            readFor(cached, threads, effort.millis());
            Path recorded = directory.resolveSibling(directory.getFileName() + ".jfr");
            try (Recording recording = new Recording()) {
                WAITS.forEach(wait -> recording.enable(wait).withThreshold(Duration.ZERO).withStackTrace());
                recording.start();
                readFor(cached, threads, effort.millis());
                recording.stop();
                recording.dump(recorded);
            }
            return RecordingFile.readAllEvents(recorded).stream().filter(HitPath::isInRead).map(HitPath::place).distinct().toList();
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void readFor(CachedFile cached, int threads, int millis)
    {
        long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        ReaderThreads.run(threads, number -> {
            Random random = new Random(number);
            byte[] buffer = new byte[READ_BYTES];
            int places = (int) (cached.version().lengthBytes() / READ_BYTES);
            for (int i = 0; i < LEAST_READS || System.nanoTime() < endNanos; i++) {
                servedHit(cached, (long) random.nextInt(places) * READ_BYTES, buffer);
            }
        });
    }

    /* The recording finds this method by its name. */
    private static void servedHit(CachedFile cached, long position, byte[] buffer)
            throws IOException
    {
        cached.readFully(position, buffer, 0, buffer.length);
    }

    private static boolean isInRead(RecordedEvent event)
    {
        return WAITS.contains(event.getEventType().getName()) && event.getStackTrace() != null
                && event.getStackTrace().getFrames().stream().anyMatch(frame -> frame.getMethod().getName().equals("servedHit"));
    }

    private static String place(RecordedEvent event)
    {
        List<String> frames = new ArrayList<>();
        for (RecordedFrame frame : event.getStackTrace().getFrames()) {
            if (frames.size() == MOST_FRAMES || frame.getMethod().getName().equals("servedHit")) {
                break;
            }
            frames.add("    " + frame.getMethod().getType().getName() + "." + frame.getMethod().getName() + ":" + frame.getLineNumber());
        }
        return "  " + event.getEventType().getName() + System.lineSeparator() + String.join(System.lineSeparator(), frames);
    }
}
