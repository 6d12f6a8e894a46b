// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.config.ConfigException;
import io.eyrie.cache.device.DeviceException;
import io.eyrie.cache.device.DeviceOutcome;
import io.eyrie.cache.device.DirectoryOwnedException;
import io.eyrie.cache.device.UnsafePathException;
import io.eyrie.cache.thread.Threads;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Acquires and closes the directories of a store, each on a thread of its own: a disk that hangs delays its directory, but not the store. */
final class DirectoryThreads
{
    private static final System.Logger logger = System.getLogger(DirectoryThreads.class.getName());
    /** In disk timeouts. */
    private static final int PATIENCE = 2;
    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(20);

    private final Threads threads;
    private final List<StoreDirectory> directories;

    DirectoryThreads(Threads threads, List<StoreDirectory> directories)
    {
        this.threads = threads;
        this.directories = directories;
    }

    /**
     * Acquires the directories and measures their volumes. A directory whose disk does not answer in time is out of service.
     *
     * @throws ConfigException if a directory is not safe or owned by another process, or if all are missing or not writable
     */
    void acquire(Volumes volumes, long diskTimeoutMillis)
    {
        Map<StoreDirectory, Throwable> failures = new ConcurrentHashMap<>();
        CountDownLatch acquiring = run("eyrie-page-directory-acquire", directory -> {
            try {
                acquire(directory, volumes);
            }
            catch (IOException | RuntimeException | OutOfMemoryError e) {
                failures.put(directory, e);
            }
            finally {
                if (!directory.endAcquisition() && failures.containsKey(directory)) {
                    logFailure(directory, failures.get(directory));
                }
            }
        });
        boolean unused = Threads.awaitUninterrupted(threads, acquiring, PATIENCE * TimeUnit.MILLISECONDS.toNanos(diskTimeoutMillis));
        List<ConfigException> unusable = new ArrayList<>();
        for (StoreDirectory directory : directories) {
            if (directory.abandonAcquisition()) {
                logger.log(Level.ERROR, () -> "Directory " + directory.base()
                        + " is out of service: its disk does not answer. Eyrie uses it once it does");
            }
            else if (failures.containsKey(directory)) {
                check(directory, failures.get(directory), unusable);
            }
        }
        if (unusable.size() == directories.size()) {
            throw unusable.get(0);
        }
        for (ConfigException problem : unusable) {
            logger.log(Level.ERROR, () -> "A directory is out of service, and Eyrie tries it again: " + problem.getMessage());
        }
    }

    private static void acquire(StoreDirectory directory, Volumes volumes)
            throws IOException
    {
        boolean denied = false;
        try {
            directory.acquire();
        }
        catch (DeviceException e) {
            denied = e.outcome() == DeviceOutcome.DENIED;
            throw e;
        }
        finally {
            if (!denied) {
                volumes.measure(directory.base());
            }
        }
    }

    /* A directory that may not be written to is often the mount point of a volume that is not mounted. */
    private static void check(StoreDirectory directory, Throwable failure, List<ConfigException> unusable)
    {
        Path base = directory.base();
        if (failure instanceof DirectoryOwnedException owned) {
            throw configException(base, "it is in use by " + owned.owner(), "name a separate directory for each process, or stop the other one");
        }
        if (failure.getCause() instanceof UnsafePathException unsafe) {
            throw configException(base, unsafe.problem(), unsafe.fix());
        }
        if (failure instanceof DeviceException failed && failed.outcome() == DeviceOutcome.DENIED) {
            unusable.add(configException(base, "user " + System.getProperty("user.name") + " may not write to it (" + failed.getMessage() + ")",
                    "mount its volume, make that user its owner, or name another directory"));
        }
        else if (failure instanceof DeviceException failed && failed.outcome() == DeviceOutcome.MISSING) {
            unusable.add(configException(base, "there is no such directory", "create it, or name another one"));
        }
        else {
            logFailure(directory, failure);
        }
    }

    private static void logFailure(StoreDirectory directory, Throwable failure)
    {
        logger.log(Level.ERROR, "Directory " + directory.base() + " is out of service: opening it failed. Eyrie tries again", failure);
    }

    private static ConfigException configException(Path base, String problem, String fix)
    {
        return new ConfigException("baseDirectories", base.toString(), problem, fix);
    }

    /** Closes the directories, and does not wait forever for those whose disks hang. */
    void close()
    {
        directories.forEach(StoreDirectory::leave);
        CountDownLatch closing = run("eyrie-page-directory-close", directory -> {
            try {
                directory.close();
            }
            catch (RuntimeException e) {
                logger.log(Level.WARNING, "Closing directory " + directory.base() + " failed", e);
            }
        });
        if (!Threads.awaitUninterrupted(threads, closing, CLOSE_NANOS)) {
            logger.log(Level.WARNING, "Closing a directory did not finish in time");
        }
    }

    private CountDownLatch run(String name, Consumer<StoreDirectory> work)
    {
        CountDownLatch running = new CountDownLatch(directories.size());
        for (StoreDirectory directory : directories) {
            Runnable one = () -> {
                try {
                    work.accept(directory);
                }
                finally {
                    running.countDown();
                }
            };
            try {
                threads.start(name, one);
            }
            catch (OutOfMemoryError e) {
                logger.log(Level.WARNING, "No thread could be started for directory " + directory.base(), e);
                one.run();
            }
        }
        return running;
    }
}
