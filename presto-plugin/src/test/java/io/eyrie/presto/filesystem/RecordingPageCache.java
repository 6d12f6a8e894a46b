// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.filesystem;

import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.page.ByteRange;
import io.eyrie.cache.page.CachedFile;
import io.eyrie.cache.page.PageCache;
import io.eyrie.cache.page.PageCacheStats;
import io.eyrie.cache.page.RangeSource;
import io.eyrie.cache.page.ReadContext;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A page cache that caches nothing and records the files that are opened through it. */
final class RecordingPageCache
        implements PageCache
{
    final List<FileVersion> opened = new ArrayList<>();
    final List<ReadContext> contexts = new ArrayList<>();
    final List<ByteRange> prefetched = new ArrayList<>();

    @Override
    public CachedFile open(FileVersion version, RangeSource source, ReadContext context)
    {
        opened.add(version);
        contexts.add(context);
        return new CachedFile() {
            @Override
            public FileVersion version()
            {
                return version;
            }

            @Override
            public int read(long position, byte[] buffer, int offset, int length)
                    throws IOException
            {
                int count = (int) Math.min(length, version.lengthBytes() - position);
                if (count <= 0) {
                    return length == 0 ? 0 : -1;
                }
                source.readFully(position, buffer, offset, count);
                context.listener().onRemoteRead(count, 1);
                return count;
            }

            @Override
            public int read(long position, ByteBuffer buffer)
            {
                throw new UnsupportedOperationException();
            }

            @Override
            public void readFully(long position, byte[] buffer, int offset, int length)
                    throws IOException
            {
                if (position + length > version.lengthBytes()) {
                    throw new EOFException();
                }
                read(position, buffer, offset, length);
            }

            @Override
            public void prefetch(List<ByteRange> ranges)
            {
                prefetched.addAll(ranges);
            }

            @Override
            public void close()
            {
                try {
                    source.close();
                }
                catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        };
    }

    @Override
    public long pageSizeBytes()
    {
        return 1 << 20;
    }

    @Override
    public PageCacheStats stats()
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close()
    {}
}
