// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.metastore;

import io.eyrie.cache.device.OwnPaths;
import io.eyrie.cache.log.LimitedLog;
import io.eyrie.metastore.entry.CrashMark;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;

/** A {@link CrashMark} in a file with eight bytes. */
final class MarkFile
        implements CrashMark
{
    private static final String NAME = "lists";
    private static final LimitedLog log = new LimitedLog(MarkFile.class, Level.WARNING);

    private final Path file;
    private final SecureRandom random = new SecureRandom();
    private volatile long number;

    /** Reads the file, or creates it. */
    MarkFile(Path directory)
            throws IOException
    {
        file = directory.resolve(NAME);
        try {
            byte[] bytes = OwnPaths.readFile(file);
            if (bytes.length == Long.BYTES) {
                number = ByteBuffer.wrap(bytes).getLong();
                return;
            }
        }
        catch (NoSuchFileException e) {
            // the first start
        }
        renew();
    }

    @Override
    public long current()
    {
        return number;
    }

    @Override
    public synchronized void renew()
    {
        long next = random.nextLong();
        try {
            write(next);
        }
        catch (IOException e) {
            log.log("File lists that were dropped now may be used again after a restart, unless " + file + " can be removed; it cannot be written",
                    e);
            remove();
        }
        number = next;
    }

    private void write(long next)
            throws IOException
    {
        Path written = file.resolveSibling(NAME + ".new");
        try (FileChannel out = OwnPaths.replaceFile(written)) {
            ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).putLong(next).flip();
            while (bytes.hasRemaining()) {
                int unused = out.write(bytes);
            }
            out.force(true);
        }
        Files.move(written, file, ATOMIC_MOVE);
        try (FileChannel directory = FileChannel.open(file.getParent(), StandardOpenOption.READ)) {
            directory.force(true);
        }
    }

    private void remove()
    {
        try {
            Files.deleteIfExists(file);
        }
        catch (IOException e) {
            log.log(file + " cannot be removed", e);
        }
    }
}
