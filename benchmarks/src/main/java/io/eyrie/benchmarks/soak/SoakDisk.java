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
 * A file system of its own for a worker's cache, in a file: so it can be full and turn read-only without anything else being touched. Needs the right to mount. For one thread.
 */
final class SoakDisk
        implements AutoCloseable
{
    /*
     * Read-only   What ext4 does at an error of the device (errors=remount-ro), told through /sys to believe that there was one. It heals as such a disk does: unmounted,
     *             checked, mounted again, under the feet of who has files of it open. These hold the failed file system, so that it is a copy of it that is checked and mounted
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

    /** Makes a disk of so many bytes in {@code directory}, which exists. */
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

    /** Where the cache lies. */
    Path directory()
    {
        return mount.resolve("cache");
    }

    /** Takes all space that is left. */
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

    /** Gives it back. */
    void empty()
            throws IOException
    {
        Files.deleteIfExists(filler());
    }

    private Path filler()
    {
        return mount.resolve("filler");
    }

    /** Lets nothing be written any more. */
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

    /** Makes a disk that failed a good one again. */
    void heal()
            throws IOException
    {
        run("umount", "-l", mount.toString());
        Path failed = image;
        repairs++;
        image = failed.resolveSibling(mount.getFileName() + "." + repairs + ".image");
        Files.copy(failed, image);
        Files.delete(failed);
        // it says 1 after it has corrected something
        runUpTo(1, "e2fsck", "-f", "-y", image.toString());
        mount();
    }

    /** Changes bytes of the pages that lie here. */
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

    /* Another device each time: that of a file system that somebody holds open stays as it is. */
    private void mount()
    {
        String device = run("losetup", "--find", "--show", image.toString());
        run("mount", "-o", "errors=remount-ro", device, mount.toString());
        // goes with its file system
        run("losetup", "--detach", device);
    }

    private static String run(String... command)
    {
        return runUpTo(0, command);
    }

    /** @param mostExit the highest exit value that is no failure */
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
