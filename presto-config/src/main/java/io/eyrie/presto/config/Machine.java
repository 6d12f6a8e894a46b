// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.config;

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

    public Machine
    {
        requireNonNull(volumes, "volumes is null");
    }

    /** Returns the machine that this process runs on. It examines the volumes of the same directories only once. */
    public static Machine current(boolean coordinator)
    {
        Map<List<Path>, List<Long>> known = new ConcurrentHashMap<>();
        return new Machine(Runtime.getRuntime().availableProcessors(), coordinator, directories -> known.computeIfAbsent(directories,
                Machine::measured));
    }

    /* A disk that hangs must not keep a catalog from starting: it counts as a missing one. */
    private static List<Long> measured(List<Path> directories)
    {
        CompletableFuture<List<Long>> sizes = new CompletableFuture<>();
        Thread thread = new Thread(null, () -> sizes.complete(sizes(directories)), "eyrie-volumes", 0, true);
        thread.setDaemon(true);
        thread.start();
        try {
            return sizes.get(MOST_WAIT_SECONDS, TimeUnit.SECONDS);
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        }
        catch (ExecutionException | TimeoutException e) {
            return List.of();
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
