// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fs;

import com.github.benmanes.caffeine.cache.Ticker;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.handle.HandlePool;
import io.eyrie.cache.handle.ReaderHandles;
import io.eyrie.cache.page.CacheMode;
import io.eyrie.cache.page.PageCache;
import io.eyrie.cache.page.ReadContext;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FutureDataInputStreamBuilder;
import org.apache.hadoop.fs.Options.OpenFileOptions;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.impl.FSBuilderSupport;
import org.apache.hadoop.fs.impl.OpenFileParameters;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.functional.FutureIO;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.security.PrivilegedExceptionAction;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Opens the files of one file system, for one user, through the page cache. Thread-safe. */
final class CachedFiles
{
    /*
     * Which version is opened, by the caller's parameters
     *   none      the status seen within status-ttl, or the store's current one
     *   length    the status seen within length-ttl, if it has this length, or the store's current one
     *   status    with neither ETag nor time: as with a length. Otherwise this status, if it has an ETag or the store provides none;
     *             else a status of the same length and second, seen or the store's current one
     * Before cached pages are read, the right to read the file is checked: by its status on S3A, otherwise by a request to the store, at most once
     * within access-check-interval.
     * If the store reports another length or time than the caller, the wrapped file system reads, with the caller's parameters.
     */
    private static final long ANY_AGE = Long.MAX_VALUE;

    private final FileSystem fileSystem;
    private final FileSystem.Statistics statistics;
    private final PageCache cache;
    private final FileSystemConfig config;
    private final UserGroupInformation user;
    private final FileVersions versions;
    private final boolean storeHasEtags;
    private final boolean statusProvesRight;
    private final SeenStatuses seen = new SeenStatuses(Ticker.systemTicker());
    private final HandlePool<HandleKey, FSDataInputStream> handles;
    private final WrappedFile.UserFileSystem store = new AsUser();

    /** Open streams with equal keys are interchangeable. */
    private record HandleKey(FileVersion version, Map<String, String> options)
    {}

    private CachedFiles(FileSystem fileSystem, FileSystem.Statistics statistics, PageCache cache, FileSystemConfig config)
            throws IOException
    {
        this.fileSystem = fileSystem;
        this.statistics = statistics;
        this.cache = cache;
        this.config = config;
        handles = new HandlePool<>(config.maxIdleHandles(), config.handleIdleMillis());
        user = UserGroupInformation.getCurrentUser();
        RemoteClient client = RemoteClient.of(fileSystem);
        statusProvesRight = client.provesRightByStatus();
        versions = new FileVersions(client.storeFor(user), config.minFileAgeMillis(), InstantSource.system());
        storeHasEtags = fileSystem.hasPathCapability(fileSystem.getWorkingDirectory(), CommonPathCapabilities.ETAGS_AVAILABLE);
    }

    /** Creates an instance for the current user. */
    static CachedFiles of(FileSystem fileSystem, FileSystem.Statistics statistics, PageCache cache, FileSystemConfig config)
            throws IOException
    {
        return new CachedFiles(fileSystem, statistics, cache, config);
    }

    /** Opens a file; empty if the wrapped file system has to open it. */
    Optional<FSDataInputStream> open(Path qualified)
            throws IOException
    {
        return open(qualified, seenOrAsked(qualified, config.statusTtlMillis()), new Configuration(false));
    }

    /** The same with the caller's options. */
    Optional<FSDataInputStream> open(Path qualified, OpenFileParameters parameters)
            throws IOException
    {
        Configuration options = parameters.getOptions();
        long length = new FSBuilderSupport(options).getPositiveLong(OpenFileOptions.FS_OPTION_OPENFILE_LENGTH, -1);
        FileStatus given = parameters.getStatus();
        if (given == null && length < 0) {
            return open(qualified, seenOrAsked(qualified, config.statusTtlMillis()), options);
        }
        Optional<FileStatus> status = given == null ? withLength(qualified, length) : withStatus(qualified, given);
        return status.isPresent() && (length < 0 || status.get().getLen() == length) ? open(qualified, status.get(), options) : Optional.empty();
    }

    private Optional<FSDataInputStream> open(Path qualified, FileStatus status, Configuration options)
            throws IOException
    {
        Optional<FileVersion> version = versions.of(qualified, status);
        if (version.isPresent()) {
            checkMayRead(qualified);
        }
        return version.map(one -> open(qualified, one, status, options));
    }

    private void checkMayRead(Path qualified)
            throws IOException
    {
        if (!statusProvesRight && !seen.isGranted(qualified, config.accessCheckMillis())) {
            fileSystem.access(qualified, FsAction.READ);
            seen.grant(qualified);
        }
    }

    private FSDataInputStream open(Path qualified, FileVersion version, FileStatus status, Configuration options)
    {
        seen.opened(qualified, version);
        StreamCounters counters = new StreamCounters(statistics);
        Map<String, String> own = ownOptions(options);
        // the streams of S3A and ABFS lock, and need no request to open: each range in flight has its own
        boolean concurrent = !RemoteClient.isConditional(status);
        ReaderHandles<HandleKey, FSDataInputStream> opened = new ReaderHandles<>(
                handles, new HandleKey(version, own), () -> openRemote(qualified, status, own), concurrent);
        WrappedFile remote = new WrappedFile(store, qualified, status, opened);
        ReadContext context = new ReadContext(Scope.NONE, CacheMode.READ_WRITE, counters);
        return new FSDataInputStream(new CachedInputStream(cache.open(version, remote, context), counters));
    }

    /** Returns the caller's options that only concern the wrapped file system. */
    private static Map<String, String> ownOptions(Configuration options)
    {
        Map<String, String> own = new TreeMap<>();
        for (Map.Entry<String, String> option : options) {
            if (!OpenFileOptions.FS_OPTION_OPENFILE_STANDARD_OPTIONS.contains(option.getKey())) {
                own.put(option.getKey(), option.getValue());
            }
        }
        return own;
    }

    private FSDataInputStream openRemote(Path path, FileStatus status, Map<String, String> options)
            throws IOException
    {
        FutureDataInputStreamBuilder builder = fileSystem.openFile(path).withFileStatus(status);
        options.forEach(builder::opt);
        // each fetch is a separate range, regardless of the caller's access pattern
        builder.opt(OpenFileOptions.FS_OPTION_OPENFILE_READ_POLICY, OpenFileOptions.FS_OPTION_OPENFILE_READ_POLICY_RANDOM);
        return FutureIO.awaitFuture(builder.build());
    }

    private FileStatus seenOrAsked(Path qualified, long maxAgeMillis)
            throws IOException
    {
        Optional<FileStatus> status = seen.find(qualified, maxAgeMillis, any -> true);
        return status.isPresent() ? status.get() : ask(qualified);
    }

    private Optional<FileStatus> withLength(Path qualified, long length)
            throws IOException
    {
        Optional<FileStatus> status = seen.find(qualified, config.lengthTtlMillis(), last -> last.getLen() == length);
        return Optional.of(status.isPresent() ? status.get() : ask(qualified));
    }

    private Optional<FileStatus> withStatus(Path qualified, FileStatus given)
            throws IOException
    {
        if (!given.isFile() || !given.getPath().getName().equals(qualified.getName())) {
            return Optional.empty();
        }
        if (FileVersions.etag(given).isEmpty() && given.getModificationTime() <= 0) {
            // synthesized by Spark to read footers: only the length is valid
            return withLength(qualified, given.getLen()).filter(last -> last.getLen() == given.getLen());
        }
        if (!storeHasEtags || FileVersions.etag(given).isPresent()) {
            return Optional.of(given);
        }
        Optional<FileStatus> status = seen.find(qualified, ANY_AGE, last -> FileVersions.agree(given, last));
        return status.isPresent() ? status : Optional.of(ask(qualified)).filter(now -> FileVersions.agree(given, now));
    }

    private FileStatus ask(Path qualified)
            throws IOException
    {
        return seen.add(fileSystem.getFileStatus(qualified));
    }

    /** Remembers a status that the store just returned. */
    <S extends FileStatus> S seen(S status)
    {
        return seen.add(status);
    }

    /** Forgets a file or directory that is written, moved, or deleted. No read requests its pages any more, so they are dropped. */
    void changed(Path qualified)
    {
        List<FileVersion> gone = seen.forget(qualified);
        if (!gone.isEmpty()) {
            gone.forEach(cache.control()::invalidate);
            Set<FileVersion> versionsGone = Set.copyOf(gone);
            handles.forget(key -> versionsGone.contains(key.version()));
        }
    }

    /** Closes the idle remote files and pools no more of them. Streams in use stay readable. */
    void close()
    {
        handles.close();
    }

    private final class AsUser
            implements WrappedFile.UserFileSystem
    {
        @Override
        public FileStatus status(Path path)
                throws IOException
        {
            return fileSystem.getFileStatus(path);
        }

        @Override
        public void changed(Path path)
        {
            CachedFiles.this.changed(path);
        }

        @Override
        public void run(WrappedFile.FileAction action)
                throws IOException
        {
            Thread thread = Thread.currentThread();
            @Nullable
            ClassLoader loader = thread.getContextClassLoader();
            long bytesBefore = statistics.getThreadStatistics().getBytesRead();
            thread.setContextClassLoader(fileSystem.getConf().getClassLoader());
            try {
                user.doAs((PrivilegedExceptionAction<@Nullable Void>) () -> {
                    action.run();
                    return null;
                });
            }
            catch (InterruptedException e) {
                thread.interrupt();
                InterruptedIOException interrupted = new InterruptedIOException("interrupted");
                interrupted.initCause(e);
                throw interrupted;
            }
            finally {
                thread.setContextClassLoader(loader);
                // bytes returned to readers are counted on the readers' threads
                statistics.incrementBytesRead(bytesBefore - statistics.getThreadStatistics().getBytesRead());
            }
        }
    }
}
