// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.config;

import io.eyrie.cache.PageCaches;
import io.eyrie.cache.segment.VolumeSizes;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;

/**
 * The facts about a node that the defaults of its caches depend on. Thread-safe.
 *
 * @param coordinator whether the node is a coordinator
 * @param volumes returns the size of each volume that the directories are on, in bytes; a volume that several directories are on counts once,
 *        and one that is missing as at an earlier start; empty if all are missing
 */
public record Machine(int processors, boolean coordinator, Function<List<Path>, List<Long>> volumes)
{
    private static final long MOST_WAIT_MILLIS = 5000;
    private static final Map<List<Path>, List<Long>> VOLUMES = new ConcurrentHashMap<>();

    public Machine
    {
        requireNonNull(volumes, "volumes is null");
    }

    /** Returns the machine that this process runs on. It measures the volumes of the same directories only once, for all catalogs of the process. */
    public static Machine current(boolean coordinator)
    {
        return new Machine(Runtime.getRuntime().availableProcessors(), coordinator, directories -> {
            List<Long> known = VOLUMES.computeIfAbsent(directories, all -> sizes(all, Machine::measure, MOST_WAIT_MILLIS));
            return known == null ? List.of() : known;
        });
    }

    /**
     * The facts about a directory that the capacity depends on.
     *
     * @param volume identifies the volume; null if the directory is missing
     * @param recorded the sizes in the directory's file; those of no volume if there is none
     */
    record DirectoryVolume(Path directory, @Nullable String volume, long bytes, VolumeSizes recorded)
    {
        static DirectoryVolume missing(Path directory)
        {
            return new DirectoryVolume(directory, null, 0, VolumeSizes.NOTHING);
        }
    }

    /*
     * Decision 0037 about the capacity: a volume that is missing, or does not answer in time, counts with the size that an earlier start recorded, otherwise with
     * the mean of the others. If none is present, the catalog starts with the constant defaults, and the next catalog measures again.
     */
    static @Nullable List<Long> sizes(List<Path> directories, Function<Path, DirectoryVolume> measure, long mostWaitMillis)
    {
        List<CompletableFuture<DirectoryVolume>> measuring = directories.stream().map(directory -> measuring(directory, measure)).toList();
        try {
            CompletableFuture.allOf(measuring.toArray(CompletableFuture[]::new)).get(mostWaitMillis, TimeUnit.MILLISECONDS);
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
        catch (ExecutionException | TimeoutException e) {
            // those that have not ended count as missing
        }
        Map<String, Long> byVolume = new LinkedHashMap<>();
        List<Path> missing = new ArrayList<>();
        VolumeSizes recorded = VolumeSizes.NOTHING;
        for (int i = 0; i < directories.size(); i++) {
            CompletableFuture<DirectoryVolume> future = measuring.get(i);
            DirectoryVolume measured = future.isCompletedExceptionally()
                    ? DirectoryVolume.missing(directories.get(i))
                    : future.getNow(DirectoryVolume.missing(directories.get(i)));
            recorded = recorded.newer(measured.recorded());
            if (measured.volume() == null) {
                missing.add(measured.directory());
            }
            else {
                byVolume.put(measured.volume(), measured.bytes());
            }
        }
        if (byVolume.isEmpty()) {
            return null;
        }
        long mean = (long) byVolume.values().stream().mapToLong(bytes -> bytes).average().orElseThrow();
        Map<Path, Long> known = recorded.bytes();
        return Stream.concat(byVolume.values().stream(), missing.stream().map(directory -> known.getOrDefault(directory, mean))).toList();
    }

    /* Each in its own thread, because a disk may hang. */
    private static CompletableFuture<DirectoryVolume> measuring(Path directory, Function<Path, DirectoryVolume> measure)
    {
        CompletableFuture<DirectoryVolume> measured = new CompletableFuture<>();
        Thread thread = new Thread(null, () -> {
            try {
                measured.complete(measure.apply(directory));
            }
            catch (RuntimeException e) {
                measured.completeExceptionally(e);
            }
        }, "eyrie-volumes", 0, true);
        thread.setDaemon(true);
        thread.start();
        return measured;
    }

    private static DirectoryVolume measure(Path directory)
    {
        try {
            // a mount point whose volume is not mounted is often not writable
            if (Files.isDirectory(directory) && Files.isWritable(directory)) {
                FileStore volume = Files.getFileStore(directory);
                return new DirectoryVolume(directory, volume.name() + " " + number(directory), volume.getTotalSpace(), VolumeSizes.read(directory));
            }
        }
        catch (IOException | SecurityException e) {
            // the check of the directories reports it
        }
        return DirectoryVolume.missing(PageCaches.resolve(directory));
    }

    private static String number(Path path)
            throws IOException
    {
        return path.getFileSystem().supportedFileAttributeViews().contains("unix") ? Files.getAttribute(path, "unix:dev").toString() : "";
    }
}
