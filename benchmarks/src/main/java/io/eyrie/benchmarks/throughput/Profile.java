// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.throughput;

import io.eyrie.benchmarks.soak.Leaks;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What a JVM did while JFR recorded it.
 *
 * @param waits for locks, the longest first
 * @param computing the share of the samples of running threads with Eyrie's code on the stack
 * @param allocating the share of the sampled allocations, in bytes, with Eyrie's code on the stack
 * @param pauseSeconds of all garbage collections
 */
record Profile(List<Wait> waits, double computing, double allocating, double pauseSeconds)
{
    /**
     * An option of each JVM that {@link #start} records. It starts a recording without events: the JVM's first recording changes classes of the JDK, which drops all
     * compiled code unless it happens at the start.
     */
    static final String JVM_OPTION = "-XX:StartFlightRecording=settings=none";
    private static final String NAME = "name=throughput";
    private static final Pattern LOCK = Pattern.compile("java\\.util\\.concurrent\\.locks\\.(Reentrant|Stamped).*");
    private static final Pattern JDK = Pattern.compile("(java|jdk|sun)\\..*");
    private static final String OURS = "io.eyrie.";
    private static final double NANOS_PER_SECOND = 1e9;

    Profile
    {
        waits = waits.stream().sorted(Comparator.comparingDouble(Wait::seconds).reversed()).toList();
    }

    /**
     * All waits for the locks of a class at one place.
     *
     * @param place the innermost method outside the JDK
     * @param seconds summed over threads
     */
    record Wait(String lock, String place, double seconds)
    {
        private boolean isOurs()
        {
            return lock.startsWith(OURS) || place.startsWith(OURS);
        }

        @Override
        public String toString()
        {
            return String.format(Locale.ROOT, "%.2f s, %s in %s", seconds, lock, place);
        }
    }

    /** Starts to record a JVM of this user, with JFR's own settings and waits from 1 ms. */
    static void start(long pid)
    {
        // Presto's stacks are deeper than the 64 frames that JFR takes by itself
        Leaks.jcmd(pid, List.of("JFR.configure", "stackdepth=256"));
        String answer = Leaks.jcmd(pid, List.of("JFR.start", NAME, "settings=profile", "jdk.JavaMonitorEnter#threshold=1ms",
                "jdk.ThreadPark#threshold=1ms"));
        if (!answer.contains("Started recording")) {
            throw new IllegalStateException("JFR does not record " + pid + ": " + answer);
        }
    }

    /** Stops what {@link #start} started and writes it to a file. */
    static Profile stop(long pid, Path recording)
    {
        Leaks.jcmd(pid, List.of("JFR.stop", NAME, "filename=" + recording));
        return read(recording);
    }

    /** Reads a recording, an event at a time. */
    private static Profile read(Path recording)
    {
        Map<Map.Entry<String, String>, Double> waits = new HashMap<>();
        Share computing = new Share();
        Share allocating = new Share();
        Duration pauses = Duration.ZERO;
        try (RecordingFile file = new RecordingFile(recording)) {
            while (file.hasMoreEvents()) {
                RecordedEvent event = file.readEvent();
                switch (event.getEventType().getName()) {
                    case "jdk.JavaMonitorEnter" -> addWait(waits, event.getClass("monitorClass"), event);
                    case "jdk.ThreadPark" -> addWait(waits, event.getClass("parkedClass"), event);
                    case "jdk.ExecutionSample" -> computing.add(event, 1);
                    case "jdk.ObjectAllocationSample" -> allocating.add(event, (double) event.getLong("weight"));
                    case "jdk.GarbageCollection" -> pauses = pauses.plus(event.getDuration("sumOfPauses"));
                    default -> {
                        // about two hundred other types
                    }
                }
            }
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<Wait> all = new ArrayList<>();
        waits.forEach((lock, seconds) -> all.add(new Wait(lock.getKey(), lock.getValue(), seconds)));
        return new Profile(all, computing.ours(), allocating.ours(), pauses.toNanos() / NANOS_PER_SECOND);
    }

    /** Returns how many of the longest waits are for Eyrie's locks. */
    long ours(int longest)
    {
        return waits.stream().limit(longest).filter(Wait::isOurs).count();
    }

    /* Threads of pools also park until there is work: that is no wait for a lock. */
    private static void addWait(Map<Map.Entry<String, String>, Double> waits, @Nullable RecordedClass type, RecordedEvent event)
    {
        if (type == null || (event.getEventType().getName().equals("jdk.ThreadPark") && !LOCK.matcher(type.getName()).matches())) {
            return;
        }
        List<String> methods = frames(event).stream().map(Profile::method).toList();
        String place = methods.stream().filter(method -> !JDK.matcher(method).matches()).findFirst().orElseGet(() -> methods.isEmpty()
                ? "unknown"
                : methods.get(0));
        waits.merge(Map.entry(type.getName(), place), event.getDuration().toNanos() / NANOS_PER_SECOND, Double::sum);
    }

    private static List<RecordedFrame> frames(RecordedEvent event)
    {
        return event.getStackTrace() == null ? List.of() : event.getStackTrace().getFrames();
    }

    private static String method(RecordedFrame frame)
    {
        return frame.getMethod().getType().getName() + "." + frame.getMethod().getName();
    }

    private static final class Share
    {
        private double ours;
        private double all;

        private void add(RecordedEvent event, double weight)
        {
            all += weight;
            if (frames(event).stream().anyMatch(frame -> frame.getMethod().getType().getName().startsWith(OURS))) {
                ours += weight;
            }
        }

        private double ours()
        {
            return all == 0 ? 0 : ours / all;
        }
    }
}
