// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.micro;

import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.page.CachedFile;
import io.eyrie.cache.page.PageCache;
import io.eyrie.cache.page.PageCacheStats;
import io.eyrie.cache.page.RangeSource;
import io.eyrie.cache.page.ReadContext;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

/** Copies a whole file to a directory when it is opened, and reads the copy. It verifies, evicts and counts nothing. */
final class RawFiles
        implements PageCache
{
    private final Path directory;
    private final int pageSizeBytes;

    RawFiles(Path directory, int pageSizeBytes)
    {
        this.directory = directory;
        this.pageSizeBytes = pageSizeBytes;
    }

    @Override
    public CachedFile open(FileVersion version, RangeSource source, ReadContext context)
    {
        try (source) {
            FileChannel channel = FileChannel.open(directory.resolve("raw"), CREATE, TRUNCATE_EXISTING, READ, WRITE);
            byte[] bytes = new byte[(int) version.lengthBytes()];
            source.readFully(0, bytes, 0, bytes.length);
            ByteBuffer copy = ByteBuffer.wrap(bytes);
            while (copy.hasRemaining()) {
                channel.write(copy);
            }
            return new RawFile(version, channel);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public long pageSizeBytes()
    {
        return pageSizeBytes;
    }

    @Override
    public PageCacheStats stats()
    {
        throw new UnsupportedOperationException("nothing is counted");
    }

    @Override
    public void close()
    {
        // files close themselves
    }

    private record RawFile(FileVersion version, FileChannel channel)
            implements CachedFile
    {
        @Override
        public int read(long position, byte[] buffer, int offset, int length)
                throws IOException
        {
            return channel.read(ByteBuffer.wrap(buffer, offset, length), position);
        }

        @Override
        public int read(long position, ByteBuffer buffer)
                throws IOException
        {
            return channel.read(buffer, position);
        }

        @Override
        public void readFully(long position, byte[] buffer, int offset, int length)
                throws IOException
        {
            if (read(position, buffer, offset, length) < length) {
                throw new EOFException(version.path());
            }
        }

        @Override
        public void close()
        {
            try {
                channel.close();
            }
            catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
