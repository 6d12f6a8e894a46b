package io.eyrie.cache.disk;

import io.eyrie.cache.device.DirectoryLock;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The local file system with faults that a test sets: failing operations, torn writes, a volume of another size. Keeps count
 * of the space that files take. Thread-safe.
 */
final class FaultyVolume
        implements Volume
{
    /** What is done to a file. */
    enum Operation
    {
        OPEN,
        READ,
        WRITE,
        MOVE,
        DELETE,
        CREATE_DIRECTORY,
        LIST,
        LOCK,
    }

    /** Decides about an operation before it is done: to let it pass, to fail it, or to hold it up. */
    interface Fault
    {
        void before(Operation operation, Path path)
                throws IOException;
    }

    private final LocalVolume volume = new LocalVolume();
    private final Map<Path, Long> blockBytes = new HashMap<>();
    private long currentBytes;
    private long highestBytes;
    private volatile Fault fault = (operation, path) -> {};
    private volatile OptionalLong usableBytes = OptionalLong.empty();

    void setFault(Fault newFault)
    {
        fault = newFault;
    }

    void heal()
    {
        setFault((operation, path) -> {});
    }

    void setUsableBytes(OptionalLong bytes)
    {
        usableBytes = bytes;
    }

    /** The most space that all files but probes took at any time. */
    synchronized long highestBytes()
    {
        return highestBytes;
    }

    private synchronized void account(Path file, long bytes)
    {
        if (!file.endsWith("probe")) {
            Long before = bytes == 0 ? blockBytes.remove(file) : blockBytes.put(file, bytes);
            currentBytes += bytes - (before == null ? 0 : before);
            highestBytes = Math.max(highestBytes, currentBytes);
        }
    }

    private synchronized void accountMove(Path from, Path to)
    {
        Long bytes = blockBytes.get(from);
        account(from, 0);
        account(to, bytes == null ? 0 : bytes);
    }

    @Override
    public Reader openForRead(Path file)
            throws IOException
    {
        fault.before(Operation.OPEN, file);
        Reader reader = volume.openForRead(file);
        return new Reader() {
            @Override
            public void readFully(long position, byte[] buffer, int offset, int length)
                    throws IOException
            {
                fault.before(Operation.READ, file);
                reader.readFully(position, buffer, offset, length);
            }

            @Override
            public void close()
                    throws IOException
            {
                reader.close();
            }
        };
    }

    /** A failing write leaves half of the file behind. */
    @Override
    public void write(Path file, ByteBuffer... parts)
            throws IOException
    {
        try {
            fault.before(Operation.WRITE, file);
        }
        catch (IOException e) {
            volume.write(file, parts[0].duplicate().limit(parts[0].limit() / 2));
            throw e;
        }
        account(file, PageFile.blockBytes(Stream.of(parts).mapToLong(ByteBuffer::remaining).sum()));
        volume.write(file, parts);
    }

    @Override
    public void move(Path from, Path to)
            throws IOException
    {
        fault.before(Operation.MOVE, from);
        volume.move(from, to);
        accountMove(from, to);
    }

    @Override
    public void delete(Path path)
            throws IOException
    {
        fault.before(Operation.DELETE, path);
        volume.delete(path);
        account(path, 0);
    }

    @Override
    public void createDirectory(Path directory)
            throws IOException
    {
        fault.before(Operation.CREATE_DIRECTORY, directory);
        volume.createDirectory(directory);
    }

    @Override
    public List<Entry> list(Path directory)
            throws IOException
    {
        fault.before(Operation.LIST, directory);
        return volume.list(directory);
    }

    @Override
    public long usableBytes(Path directory)
            throws IOException
    {
        return usableBytes.isPresent() ? usableBytes.getAsLong() : volume.usableBytes(directory);
    }

    @Override
    public DirectoryLock lock(Path directory)
            throws IOException
    {
        fault.before(Operation.LOCK, directory);
        return volume.lock(directory);
    }
}
