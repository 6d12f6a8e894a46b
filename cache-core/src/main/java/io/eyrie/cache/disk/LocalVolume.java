package io.eyrie.cache.disk;

import io.eyrie.cache.device.DeviceException;
import io.eyrie.cache.device.DirectoryLock;
import io.eyrie.cache.device.LocalDevice;

import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/** The local file system. Uses streams, not channels, which an interrupted thread would close. */
final class LocalVolume
        implements Volume
{
    private static final int COPY_BYTES = 64 << 10;

    @Override
    public Reader openForRead(Path file)
            throws IOException
    {
        try {
            return new LocalReader(new RandomAccessFile(file.toFile(), "r"));
        }
        catch (FileNotFoundException e) {
            throwReason(file, StandardOpenOption.READ);
            return new LocalReader(new RandomAccessFile(file.toFile(), "r"));
        }
    }

    @Override
    public void write(Path file, ByteBuffer... parts)
            throws IOException
    {
        try (FileOutputStream out = openForWrite(file)) {
            for (ByteBuffer part : parts) {
                write(out, part.duplicate());
            }
        }
    }

    private static FileOutputStream openForWrite(Path file)
            throws IOException
    {
        try {
            return new FileOutputStream(file.toFile());
        }
        catch (FileNotFoundException e) {
            throwReason(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            return new FileOutputStream(file.toFile());
        }
    }

    /**
     * Opens what a stream failed to open, because a stream's exception does not tell why. Does not throw if the reason is
     * gone meanwhile: another thread may have created the folder.
     */
    private static void throwReason(Path file, OpenOption... options)
            throws IOException
    {
        Files.newByteChannel(file, options).close();
    }

    private static void write(FileOutputStream out, ByteBuffer part)
            throws IOException
    {
        if (part.hasArray()) {
            out.write(part.array(), part.arrayOffset() + part.position(), part.remaining());
            return;
        }
        byte[] copy = new byte[Math.min(COPY_BYTES, part.remaining())];
        while (part.hasRemaining()) {
            int length = Math.min(copy.length, part.remaining());
            part.get(copy, 0, length);
            out.write(copy, 0, length);
        }
    }

    @Override
    public void move(Path from, Path to)
            throws IOException
    {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public void delete(Path path)
            throws IOException
    {
        Files.deleteIfExists(path);
    }

    @Override
    public void createDirectory(Path directory)
            throws IOException
    {
        boolean posix = directory.getFileSystem().supportedFileAttributeViews().contains("posix");
        FileAttribute<?>[] attributes = posix
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))}
                : new FileAttribute<?>[0];
        try {
            Files.createDirectory(directory, attributes);
        }
        catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(directory)) {
                throw e;
            }
        }
    }

    @Override
    public List<Entry> list(Path directory)
            throws IOException
    {
        List<Entry> entries = new ArrayList<>();
        try (DirectoryStream<Path> paths = Files.newDirectoryStream(directory)) {
            for (Path path : paths) {
                try {
                    BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
                    entries.add(new Entry(path, attributes.isDirectory(), attributes.size(), attributes.lastModifiedTime().toMillis()));
                }
                catch (NoSuchFileException e) {
                    // deleted since the directory was read, so it is not part of it
                }
            }
        }
        catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return entries;
    }

    @Override
    public long usableBytes(Path directory)
            throws IOException
    {
        long usableBytes = directory.toFile().getUsableSpace();
        // 0 stands for a failure too; the file store tells, but takes reading the table of mounts
        return usableBytes > 0 ? usableBytes : Files.getFileStore(directory).getUsableSpace();
    }

    @Override
    public DirectoryLock lock(Path directory)
            throws IOException
    {
        try {
            return new LocalDevice().lock(directory);
        }
        catch (DeviceException e) {
            throw e.getCause() instanceof IOException cause ? cause : e;
        }
    }

    private record LocalReader(RandomAccessFile file)
            implements Reader
    {
        @Override
        public void readFully(long position, byte[] buffer, int offset, int length)
                throws IOException
        {
            file.seek(position);
            file.readFully(buffer, offset, length);
        }

        @Override
        public void close()
                throws IOException
        {
            file.close();
        }
    }
}
