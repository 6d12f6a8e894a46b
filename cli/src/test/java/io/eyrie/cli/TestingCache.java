// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli;

import io.eyrie.cache.PageCaches;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.file.StoreId;
import io.eyrie.cache.page.CacheMode;
import io.eyrie.cache.page.CachedFile;
import io.eyrie.cache.page.PageCache;
import io.eyrie.cache.page.RangeSource;
import io.eyrie.cache.page.ReadContext;
import io.eyrie.cache.page.ReadListener;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

/** A cache as in Presto, over in-memory files, for commands to inspect. */
public final class TestingCache
        implements AutoCloseable
{
    public static final int PAGE = 64 << 10;

    private final PageCache cache;

    public TestingCache(PageCacheConfig config)
    {
        cache = PageCaches.open(config);
    }

    /** Returns a configuration with small pages and a journal that is flushed almost at once. */
    public static PageCacheConfig.Builder config(Path directory)
    {
        return PageCacheConfig.builder()
                .baseDirectories(List.of(directory))
                .capacityBytes(1 << 30)
                .pageSizeBytes(PAGE)
                .granuleSizeBytes(4 << 10)
                .minFreeSpaceBytes(0)
                .flushIntervalMillis(5);
    }

    /** Creates a key file; {@link #named} returns its name in a configuration. */
    public static Path key(Path file, int digit)
            throws IOException
    {
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.writeString(file, String.valueOf(digit).repeat(64));
    }

    public static String named(Path key)
    {
        return "file:" + key.toAbsolutePath();
    }

    public PageCache cache()
    {
        return cache;
    }

    /** Reads a table's file completely, from the cache if it is cached. */
    public void read(int file, int lengthBytes, String table, String partition)
            throws IOException
    {
        byte[] content = content(file, lengthBytes);
        FileVersion version = new FileVersion(StoreId.shared("s3"), "/" + table + "/" + file, lengthBytes, 1, Optional.empty());
        ReadContext context = new ReadContext(new Scope("hive", "web", table, partition), CacheMode.READ_WRITE, ReadListener.NOOP);
        try (CachedFile cached = cache.open(version, new MemorySource(content), context)) {
            byte[] read = new byte[lengthBytes];
            cached.readFully(0, read, 0, lengthBytes);
            if (!Arrays.equals(read, content)) {
                throw new AssertionError("wrong bytes of " + version);
            }
        }
    }

    private static byte[] content(int file, int lengthBytes)
    {
        byte[] content = new byte[lengthBytes];
        new Random(file).nextBytes(content);
        return content;
    }

    /** Returns all files below a folder. */
    public static List<Path> files(Path folder)
            throws IOException
    {
        try (Stream<Path> files = Files.walk(folder)) {
            return new ArrayList<>(files.filter(Files::isRegularFile).sorted().toList());
        }
    }

    /** Returns the only file below a folder whose name ends with {@code suffix}. */
    public static Path file(Path folder, String suffix)
            throws IOException
    {
        List<Path> found = files(folder).stream().filter(file -> file.toString().endsWith(suffix)).toList();
        if (found.size() != 1) {
            throw new AssertionError(found + " end with " + suffix);
        }
        return found.get(0);
    }

    @Override
    public void close()
    {
        cache.close();
    }

    private static final class MemorySource
            implements RangeSource
    {
        private final byte[] content;

        MemorySource(byte[] content)
        {
            this.content = content;
        }

        @Override
        public void readFully(long position, byte[] buffer, int offset, int length)
        {
            System.arraycopy(content, Math.toIntExact(position), buffer, offset, length);
        }

        @Override
        public void close()
        {}
    }
}
