// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.soak;

import io.eyrie.testing.files.Directories;

import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

/**
 * A separate file system for a worker's cache, in a file, so that it can be full or read-only without affecting anything else. Needs permission to
 * mount. Not thread-safe.
 */
final class SoakDisk
        implements AutoCloseable
{
    /*
     * Read-only   ext4's reaction to an error of the device (errors=remount-ro), triggered by a simulated error through /sys. It heals as such a disk
     *             does: it is unmounted, checked and mounted again, while processes still have its files open. Those processes hold the failed file
     *             system, so a copy of it is checked and mounted
     */
    private static final int CHUNK_BYTES = 1 << 16;
    private static final long COMMAND_SECONDS = 60;
    private static final int FLIPPED_BYTES = 64;
    private static final int FLIPS_A_FILE = 40;

    private final Path mount;
    private Path image;
    private int repairs;

    private SoakDisk(Path image, Path mount)
    {
        this.image = image;
        this.mount = mount;
    }

    /** Creates a disk of {@code bytes} in {@code directory}, which must exist. */
    static SoakDisk make(Path directory, String name, long bytes)
    {
        try {
            SoakDisk disk = new SoakDisk(directory.resolve(name + ".image"), Files.createDirectory(directory.resolve(name)));
            try (RandomAccessFile file = new RandomAccessFile(disk.image.toFile(), "rw")) {
                file.setLength(bytes);
            }
            run("mkfs.ext4", "-q", "-O", "^has_journal", disk.image.toString());
            disk.mount();
            Files.createDirectory(disk.directory());
            return disk;
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the cache directory. */
    Path directory()
    {
        return mount.resolve("cache");
    }

    /** Fills the disk. */
    void fill()
            throws IOException
    {
        byte[] chunk = new byte[CHUNK_BYTES];
        try (OutputStream filler = Files.newOutputStream(filler())) {
            while (true) {
                filler.write(chunk);
            }
        }
        catch (IOException e) {
            if (mount.toFile().getUsableSpace() > CHUNK_BYTES) {
                throw e;
            }
        }
    }

    /** Frees the space that {@link #fill} took. */
    void empty()
            throws IOException
    {
        Files.deleteIfExists(filler());
    }

    private Path filler()
    {
        return mount.resolve("filler");
    }

    /** Makes the file system read-only, as after an error of the device. */
    void failReadOnly()
            throws IOException
    {
        Files.writeString(Path.of("/sys/fs/ext4", device(), "trigger_fs_error"), "1");
    }

    private String device()
            throws IOException
    {
        for (String line : Files.readAllLines(Path.of("/proc/mounts"))) {
            List<String> fields = List.of(line.split(" "));
            if (fields.get(1).equals(mount.toString())) {
                return Path.of(fields.get(0)).getFileName().toString();
            }
        }
        throw new IOException(mount + " is not mounted");
    }

    /** Repairs a disk that failed. */
    void heal()
            throws IOException
    {
        run("umount", "-l", mount.toString());
        Path failed = image;
        repairs++;
        image = failed.resolveSibling(mount.getFileName() + "." + repairs + ".image");
        Files.copy(failed, image);
        Files.delete(failed);
        // its exit code is 1 after it has corrected errors
        runUpTo(1, "e2fsck", "-f", "-y", image.toString());
        mount();
    }

    /** Overwrites random bytes of the pages on this disk. */
    void flip(Random random)
            throws IOException
    {
        try (Stream<Path> files = Files.walk(directory())) {
            List<Path> segments = files.filter(file -> file.toString().endsWith(".segment")).toList();
            for (Path segment : segments) {
                try (FileChannel channel = FileChannel.open(segment, READ, WRITE)) {
                    for (int i = 0; i < FLIPS_A_FILE && channel.size() > FLIPPED_BYTES; i++) {
                        byte[] noise = new byte[FLIPPED_BYTES];
                        random.nextBytes(noise);
                        channel.write(ByteBuffer.wrap(noise), random.nextLong(channel.size() - FLIPPED_BYTES));
                    }
                }
            }
        }
    }

    @Override
    public void close()
    {
        run("umount", "-l", mount.toString());
        Directories.delete(mount);
        image.toFile().delete();
    }

    /* Uses another device each time: the old one remains in use while a process holds its file system open. */
    private void mount()
    {
        String device = run("losetup", "--find", "--show", image.toString());
        run("mount", "-o", "errors=remount-ro", device, mount.toString());
        // the device is released with its file system
        run("losetup", "--detach", device);
    }

    private static String run(String... command)
    {
        return runUpTo(0, command);
    }

    /** @param mostExit the highest exit code that is not a failure */
    private static String runUpTo(int mostExit, String... command)
    {
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (!process.waitFor(COMMAND_SECONDS, TimeUnit.SECONDS) || process.exitValue() > mostExit) {
                throw new IllegalStateException(
                        "The soak needs file systems of its own for the caches, so the rights to mount them (root, or CAP_SYS_ADMIN, with loop devices): "
                                + String.join(" ", command) + ": " + output);
            }
            return output;
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted in " + String.join(" ", command), e);
        }
    }
}
