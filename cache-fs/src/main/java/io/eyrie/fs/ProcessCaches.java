// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fs;

import io.eyrie.cache.PageCaches;
import io.eyrie.cache.config.ConfigException;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.device.DirectoryLock;
import io.eyrie.cache.device.DirectoryOwnedException;
import io.eyrie.cache.device.LocalDevice;
import io.eyrie.cache.device.OwnPaths;
import io.eyrie.cache.device.UnsafePathException;
import io.eyrie.cache.log.LimitedLog;
import io.eyrie.cache.page.PageCache;
import io.eyrie.cache.thread.Threads;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.util.ShutdownHookManager;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import static java.util.Objects.requireNonNull;

/**
 * The page caches of this process. They stay open until the process ends, independent of the file systems that use them. A machine may run many
 * processes with one core-site.xml (Spark's executors), but a folder serves only one process. Each process therefore takes the first free number and
 * uses the folders of that name in all directories. A lock on {@code <number>.lock} in each directory marks the number as taken; the operating system
 * releases it when the process dies. Each class loader of a process takes its own number.
 */
final class ProcessCaches
{
    // after the file systems, whose streams may still be read
    private static final int SHUTDOWN_PRIORITY = FileSystem.SHUTDOWN_HOOK_PRIORITY - 5;
    private static final long OPEN_MILLIS = 30_000;
    private static final LocalDevice device = new LocalDevice();
    private static final LimitedLog log = new LimitedLog(ProcessCaches.class, Level.WARNING);

    // the latest; at most one runs
    private static final AtomicReference<Opening> latest = new AtomicReference<>(new Opening(0, new CountDownLatch(0)));

    // guarded by the class
    private static final Map<List<Path>, Lease> leases = new HashMap<>();
    private static boolean closesAtExit;

    private record Lease(List<Path> folders, List<DirectoryLock> locks, PageCache cache, CacheMetrics metrics)
    {}

    /** @param deadlineNanos after which a disk does not answer */
    private record Opening(long deadlineNanos, CountDownLatch ended)
    {
        /* Waits until it has ended, or its deadline or this one has passed. Returns whether it has ended. */
        boolean await(long orNanos)
        {
            long now = Threads.SYSTEM.nanoTime();
            return Threads.awaitUninterrupted(Threads.SYSTEM, ended, Math.min(orNanos - now, deadlineNanos - now));
        }
    }

    private ProcessCaches()
    {}

    /**
     * Opens a handle of the cache in these directories; empty if the maximum number of processes is already caching there, if a disk does not answer, or
     * if no directory has room for a folder of this process.
     *
     * @throws ConfigException naming the required change
     */
    static Optional<PageCache> open(PageCacheConfig config, int maxProcesses)
    {
        return open(config, maxProcesses, OPEN_MILLIS);
    }

    /*
     * On a thread of its own: a thread that uses a disk that hangs cannot be interrupted. While an opening is late, no other one begins, because it would only wait
     * for the same lock, on another thread.
     */
    static Optional<PageCache> open(PageCacheConfig config, int maxProcesses, long limitMillis)
    {
        Opening own = new Opening(Threads.SYSTEM.nanoTime() + TimeUnit.MILLISECONDS.toNanos(limitMillis), new CountDownLatch(1));
        Opening before;
        do {
            before = requireNonNull(latest.get());
            if (!before.await(own.deadlineNanos())) {
                return late(config);
            }
        }
        while (!latest.compareAndSet(before, own));
        CompletableFuture<Optional<PageCache>> opened = new CompletableFuture<>();
        start(own, config, maxProcesses, opened);
        if (!own.await(own.deadlineNanos())) {
            CompletableFuture<Void> unused = opened.thenAccept(cache -> cache.ifPresent(PageCache::close));
            return late(config);
        }
        try {
            return opened.join();
        }
        catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw e;
        }
    }

    private static void start(Opening opening, PageCacheConfig config, int maxProcesses, CompletableFuture<Optional<PageCache>> opened)
    {
        boolean started = false;
        try {
            Threads.SYSTEM.start("eyrie-cache-open", () -> {
                try {
                    opened.complete(openNow(config, maxProcesses));
                }
                catch (RuntimeException | Error e) {
                    opened.completeExceptionally(e);
                }
                finally {
                    opening.ended().countDown();
                }
            });
            started = true;
        }
        finally {
            if (!started) {
                opening.ended().countDown();
            }
        }
    }

    private static Optional<PageCache> late(PageCacheConfig config)
    {
        log.log("The cache in " + config.baseDirectories()
                + " is not open, because a cache disk does not answer. This file system reads without a cache");
        return Optional.empty();
    }

    private static synchronized Optional<PageCache> openNow(PageCacheConfig config, int maxProcesses)
    {
        Lease lease = leases.get(config.baseDirectories());
        if (lease != null) {
            return Optional.of(openCache(config, lease.folders()));
        }
        for (int number = 0; number < maxProcesses; number++) {
            Optional<List<DirectoryLock>> locks = lock(config.baseDirectories(), number);
            if (locks.isPresent()) {
                return open(config, number, locks.get());
            }
        }
        log.log(maxProcesses + " processes already cache in " + config.baseDirectories() + ", so this one reads without a cache. "
                + EyrieKeys.MAX_PROCESSES
                + " sets the maximum number of processes; each uses up to " + EyrieKeys.CAPACITY);
        return Optional.empty();
    }

    private static Optional<PageCache> open(PageCacheConfig config, int number, List<DirectoryLock> locks)
    {
        List<Path> folders = config.baseDirectories().stream().map(directory -> directory.resolve(String.valueOf(number))).toList();
        boolean opened = false;
        try {
            List<Path> wanted = config.baseDirectories().stream().filter(Files::isDirectory).map(directory -> directory.resolve(String.valueOf(
                    number)))
                    .toList();
            wanted.forEach(ProcessCaches::createFolder);
            if (!wanted.isEmpty() && wanted.stream().noneMatch(Files::isDirectory)) {
                log.log("No directory of " + config.baseDirectories() + " has a folder for this process, so it reads without a cache");
                return Optional.empty();
            }
            Lease lease = new Lease(folders, locks, openCache(config, folders), new CacheMetrics());
            opened = true;
            leases.put(config.baseDirectories(), lease);
            lease.metrics().register(config.baseDirectories(), lease.cache());
            if (!closesAtExit && !ShutdownHookManager.get().isShutdownInProgress()) {
                closesAtExit = true;
                ShutdownHookManager.get().addShutdownHook(ProcessCaches::closeAll, SHUTDOWN_PRIORITY);
            }
            return Optional.of(openCache(config, folders));
        }
        finally {
            if (!opened) {
                locks.forEach(DirectoryLock::close);
            }
        }
    }

    private static PageCache openCache(PageCacheConfig config, List<Path> folders)
    {
        try {
            return PageCaches.open(config.toBuilder().baseDirectories(folders).build());
        }
        catch (ConfigException e) {
            throw FileSystemConfig.inUserTerms(e);
        }
    }

    /** Takes all locks of a number, or none. A directory that cannot be written to has no lock: opening the cache reports the problem. */
    private static Optional<List<DirectoryLock>> lock(List<Path> directories, int number)
    {
        List<DirectoryLock> locks = new ArrayList<>();
        boolean taken = false;
        try {
            for (Path directory : directories) {
                lock(directory, number + ".lock").ifPresent(locks::add);
            }
            taken = true;
            return Optional.of(List.copyOf(locks));
        }
        catch (DirectoryOwnedException e) {
            return Optional.empty();
        }
        finally {
            if (!taken) {
                locks.forEach(DirectoryLock::close);
            }
        }
    }

    private static Optional<DirectoryLock> lock(Path directory, String name)
            throws DirectoryOwnedException
    {
        try {
            return Optional.of(device.lock(Files.exists(directory) ? directory.toRealPath() : directory, name));
        }
        catch (DirectoryOwnedException e) {
            throw e;
        }
        catch (IOException e) {
            failIfUnsafe(directory, e.getCause());
            log.log("Cannot take the lock " + directory.resolve(name), e);
            return Optional.empty();
        }
    }

    private static void createFolder(Path folder)
    {
        try {
            OwnPaths.createDirectory(folder);
        }
        catch (IOException e) {
            failIfUnsafe(folder, e);
            log.log("Cannot create the directory " + folder, e);
        }
    }

    private static void failIfUnsafe(Path directory, @Nullable Throwable cause)
    {
        if (cause instanceof UnsafePathException unsafe) {
            ConfigException failure = new ConfigException(EyrieKeys.DIRECTORIES, directory.toString(), unsafe.problem(), unsafe.fix());
            failure.initCause(unsafe);
            throw failure;
        }
    }

    /** Closes all caches at the end of the process; pages waiting to be written are written. */
    static synchronized void closeAll()
    {
        for (Lease lease : leases.values()) {
            lease.metrics().close();
            lease.cache().close();
            lease.locks().forEach(DirectoryLock::close);
        }
        leases.clear();
    }
}
