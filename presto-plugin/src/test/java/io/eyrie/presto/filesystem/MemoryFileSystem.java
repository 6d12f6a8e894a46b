// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.filesystem;

import com.facebook.presto.hive.HiveFileContext;
import com.facebook.presto.hive.filesystem.ExtendedFileSystem;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A remote file system of one level, in memory, that records its opens and status requests. */
class MemoryFileSystem
        extends ExtendedFileSystem
{
    final Map<Path, byte[]> files = new HashMap<>();
    final List<String> requests = new ArrayList<>();
    long modifiedMillis = 123;
    /** Runs before each read. */
    Runnable beforeRead = () -> {};
    private final URI uri;

    MemoryFileSystem(String uri)
    {
        this.uri = URI.create(uri);
        setConf(new Configuration(false));
    }

    @Override
    public URI getUri()
    {
        return uri;
    }

    @Override
    public FSDataInputStream openFile(Path path, HiveFileContext context)
            throws IOException
    {
        return open(path, 0);
    }

    @Override
    public FSDataInputStream open(Path path, int bufferSize)
            throws IOException
    {
        requests.add("open " + path.getName());
        return new FSDataInputStream(new BytesStream(content(path), beforeRead));
    }

    @Override
    public FileStatus getFileStatus(Path path)
            throws IOException
    {
        requests.add("status " + path.getName());
        return new FileStatus(content(path).length, false, 1, 1, modifiedMillis, path);
    }

    private byte[] content(Path path)
            throws FileNotFoundException
    {
        byte[] content = files.get(path);
        if (content == null) {
            throw new FileNotFoundException(path.toString());
        }
        return content;
    }

    @Override
    public FSDataOutputStream create(
            Path path,
            FsPermission permission,
            boolean overwrite,
            int bufferSize,
            short replication,
            long blockSize,
            Progressable progress)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public FSDataOutputStream append(Path path, int bufferSize, Progressable progress)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean rename(Path source, Path target)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean delete(Path path, boolean recursive)
    {
        return files.remove(path) != null;
    }

    @Override
    public FileStatus[] listStatus(Path path)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setWorkingDirectory(Path path)
    {}

    @Override
    public Path getWorkingDirectory()
    {
        return new Path("/");
    }

    @Override
    public boolean mkdirs(Path path, FsPermission permission)
    {
        throw new UnsupportedOperationException();
    }

    private static final class BytesStream
            extends FSInputStream
    {
        private final byte[] content;
        private final Runnable beforeRead;
        private int position;

        BytesStream(byte[] content, Runnable beforeRead)
        {
            this.content = content;
            this.beforeRead = beforeRead;
        }

        @Override
        public int read()
        {
            return position < content.length ? content[position++] & 0xff : -1;
        }

        @Override
        public int read(byte[] buffer, int offset, int length)
        {
            beforeRead.run();
            int count = Math.min(length, content.length - position);
            if (count <= 0) {
                return -1;
            }
            System.arraycopy(content, position, buffer, offset, count);
            position += count;
            return count;
        }

        @Override
        public void seek(long target)
        {
            position = (int) target;
        }

        @Override
        public long getPos()
        {
            return position;
        }

        @Override
        public boolean seekToNewSource(long target)
        {
            return false;
        }
    }
}
