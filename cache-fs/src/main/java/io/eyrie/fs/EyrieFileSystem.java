// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fs;

import io.eyrie.cache.page.PageCache;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FutureDataInputStreamBuilder;
import org.apache.hadoop.fs.Options.OpenFileOptions;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.impl.OpenFileParameters;
import org.apache.hadoop.util.LambdaUtils;
import org.apache.hadoop.util.ReflectionUtils;
import org.apache.hadoop.util.functional.FutureIO;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The file system to name in {@code fs.<scheme>.impl}: it wraps the one that {@code fs.eyrie.<scheme>.impl} names and reads its files through the
 * page cache. {@link EyrieKeys} are its properties. The wrapped file system handles every other operation, and reads of files whose version cannot be
 * determined.
 *
 * <p>The cache belongs to the process, and stays open when file systems close.
 */
public final class EyrieFileSystem
        extends PassThroughFileSystem
{
    // null until initialized, and if nothing is to be cached
    private @Nullable CachedFiles files;
    private @Nullable PageCache cache;

    @Override
    public void initialize(URI name, Configuration configuration)
            throws IOException
    {
        HadoopVersion.check();
        FileSystemConfig config = FileSystemConfig.of(configuration, name.getScheme());
        fs = ReflectionUtils.newInstance(config.implementation(), configuration);
        boolean initialized = false;
        try {
            fs.initialize(name, configuration);
            super.initialize(name, configuration);
            // as with any other filter, bytes read count for the wrapped file system
            statistics = wrappedStatistics(name.getScheme());
            if (config.enabled() && RemoteClient.of(fs).isCacheable()) {
                cache = ProcessCaches.open(config.cache(), config.maxProcesses()).orElse(null);
                files = cache == null ? null : CachedFiles.of(fs, statistics, cache, config);
            }
            initialized = true;
        }
        finally {
            if (!initialized) {
                fs.close();
            }
        }
    }

    @SuppressWarnings("deprecation") // the replacement is keyed by name instead of class, and its counters cannot be increased
    private FileSystem.Statistics wrappedStatistics(String scheme)
    {
        return getStatistics(scheme, fs.getClass());
    }

    @Override
    public FSDataInputStream open(Path path, int bufferSize)
            throws IOException
    {
        Optional<FSDataInputStream> cached = files == null ? Optional.empty() : files.open(makeQualified(path));
        return cached.isPresent() ? cached.get() : super.open(path, bufferSize);
    }

    /** The base class would request the builder from the wrapped file system, and so bypass {@link #openFileWithOptions}. */
    @Override
    public FutureDataInputStreamBuilder openFile(Path path)
    {
        FutureDataInputStreamBuilder builder = createDataInputStreamBuilder(this, makeQualified(path));
        return builder;
    }

    /** Leaves opens with mandatory options other than Hadoop's own to the wrapped file system, which obeys or rejects them. */
    @Override
    protected CompletableFuture<FSDataInputStream> openFileWithOptions(Path path, OpenFileParameters parameters)
            throws IOException
    {
        CachedFiles cachedFiles = files;
        if (cachedFiles == null || !OpenFileOptions.FS_OPTION_OPENFILE_STANDARD_OPTIONS.containsAll(parameters.getMandatoryKeys())) {
            return super.openFileWithOptions(path, parameters);
        }
        return LambdaUtils.eval(new CompletableFuture<>(), () -> {
            Optional<FSDataInputStream> cached = cachedFiles.open(makeQualified(path), parameters);
            return cached.isPresent() ? cached.get() : FutureIO.awaitFuture(super.openFileWithOptions(path, parameters));
        });
    }

    @Override
    <S extends FileStatus> S seen(S status)
    {
        return files == null ? status : files.seen(status);
    }

    @Override
    void changed(Path path)
    {
        if (files != null) {
            files.changed(makeQualified(path));
        }
    }

    @Override
    public void close()
            throws IOException
    {
        if (files != null) {
            files.close();
        }
        try {
            super.close();
        }
        finally {
            if (cache != null) {
                cache.close();
            }
        }
    }

    @Override
    public String toString()
    {
        return "EyrieFileSystem{" + fs + "}";
    }
}
