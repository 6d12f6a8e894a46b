// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.config;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

import static java.util.Objects.requireNonNull;

/**
 * The facts about a node that the defaults of its caches depend on. Thread-safe.
 *
 * @param coordinator whether the node is a coordinator
 * @param volumes returns the size of each volume that the directories are on, in bytes; a volume that several directories are on counts once
 */
public record Machine(int processors, boolean coordinator, Function<List<Path>, List<Long>> volumes)
{
    private static final long MOST_WAIT_SECONDS = 5;
    private static final Map<List<Path>, List<Long>> VOLUMES = new ConcurrentHashMap<>();

    public Machine
    {
        requireNonNull(volumes, "volumes is null");
    }

    /** Returns the machine that this process runs on. It measures the volumes of the same directories only once, for all catalogs of the process. */
    public static Machine current(boolean coordinator)
    {
        return new Machine(Runtime.getRuntime().availableProcessors(), coordinator, directories -> {
            List<Long> known = VOLUMES.computeIfAbsent(directories, Machine::measured);
            return known == null ? List.of() : known;
        });
    }

    /* If a disk does not answer in time, the catalog starts with the constant defaults; the next catalog measures again. */
    private static @Nullable List<Long> measured(List<Path> directories)
    {
        CompletableFuture<List<Long>> sizes = new CompletableFuture<>();
        Thread thread = new Thread(null, () -> sizes.complete(sizes(directories)), "eyrie-volumes", 0, true);
        thread.setDaemon(true);
        thread.start();
        try {
            List<Long> found = sizes.get(MOST_WAIT_SECONDS, TimeUnit.SECONDS);
            return found.isEmpty() ? null : found;
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
        catch (ExecutionException | TimeoutException e) {
            return null;
        }
    }

    private static List<Long> sizes(Collection<Path> directories)
    {
        Map<String, Long> byVolume = new HashMap<>();
        for (Path directory : directories) {
            try {
                if (Files.isDirectory(directory)) {
                    FileStore volume = Files.getFileStore(directory);
                    byVolume.put(volume.name() + " " + number(directory), volume.getTotalSpace());
                }
            }
            catch (IOException | SecurityException e) {
                // the check of the directories reports it
            }
        }
        return List.copyOf(byVolume.values());
    }

    private static String number(Path path)
            throws IOException
    {
        return path.getFileSystem().supportedFileAttributeViews().contains("unix") ? Files.getAttribute(path, "unix:dev").toString() : "";
    }
}
