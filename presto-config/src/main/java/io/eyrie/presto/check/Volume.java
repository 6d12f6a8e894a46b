// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.check;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A directory and the volume that it is on, as this process sees them. If the directory does not exist, the nearest existing one above it is examined.
 *
 * @param exists whether the path exists
 * @param isDirectory whether the path is a directory
 * @param isWritable whether this process may write into the directory, or create it
 * @param owner the directory's owner
 * @param opened the most that others than its owner may do there; empty if nothing
 * @param fileSystem the file system's type
 * @param device distinguishes volumes
 * @param totalBytes the volume's size
 * @param freeBytes the free space that this process may use
 * @param cachedBytes the size of the cache's files that are already there
 * @param rotates whether the medium rotates; empty if unknown
 */
record Volume(
        Path directory,
        boolean exists,
        boolean isDirectory,
        boolean isWritable,
        String owner,
        Optional<AccessOfOthers> opened,
        String fileSystem,
        String device,
        long totalBytes,
        long freeBytes,
        long cachedBytes,
        Optional<Boolean> rotates)
{
    /** The most that others than a directory's owner may do there. */
    enum AccessOfOthers
    {
        READ,
        WRITE,
    }

    private static final Path BLOCK_DEVICES = Path.of("/sys/class/block");
    private static final Set<PosixFilePermission> OWNERS = EnumSet.of(
            PosixFilePermission.OWNER_READ,
            PosixFilePermission.OWNER_WRITE,
            PosixFilePermission.OWNER_EXECUTE);
    /** Disks of virtio and Xen, which have neither vendor nor model. */
    private static final Pattern VIRTUAL_NAME = Pattern.compile("x?vd[a-z]+[0-9]*");
    private static final Pattern VIRTUAL_MAKE = Pattern.compile("(?i)qemu|vmware|vbox|virtual|google|msft|xen");
    private static final int STICKY = 01000;
    private static final int SEGMENTS_DEPTH = 3;

    static Volume of(Path directory)
            throws IOException
    {
        Path there = directory;
        while (!Files.exists(there) && there.getParent() != null) {
            there = there.getParent();
        }
        FileStore store = Files.getFileStore(there);
        return new Volume(
                directory,
                Files.exists(directory),
                Files.isDirectory(directory),
                Files.isDirectory(there) && Files.isWritable(there) && Files.isExecutable(there),
                Files.getOwner(there).getName(),
                Files.exists(directory) ? opened(directory, store) : Optional.empty(),
                store.type(),
                store.name() + " " + number(there),
                store.getTotalSpace(),
                store.getUsableSpace(),
                cachedBytes(directory),
                rotates(store.name(), BLOCK_DEVICES));
    }

    /** Returns the device's name, for people. */
    String deviceName()
    {
        return device.split(" ", 2)[0];
    }

    private static Optional<AccessOfOthers> opened(Path directory, FileStore store)
            throws IOException
    {
        if (!store.supportsFileAttributeView("posix")) {
            return Optional.empty();
        }
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(directory);
        boolean sticky = ((int) Files.getAttribute(directory, "unix:mode") & STICKY) != 0;
        if ((permissions.contains(PosixFilePermission.GROUP_WRITE) && !sticky) || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
            return Optional.of(AccessOfOthers.WRITE);
        }
        return OWNERS.containsAll(permissions) ? Optional.empty() : Optional.of(AccessOfOthers.READ);
    }

    private static String number(Path path)
            throws IOException
    {
        return path.getFileSystem().supportedFileAttributeViews().contains("unix") ? Files.getAttribute(path, "unix:dev").toString() : "";
    }

    private static long cachedBytes(Path directory)
    {
        if (!Files.isReadable(directory) || !Files.isDirectory(directory)) {
            return 0;
        }
        long bytes = 0;
        for (Path folder : cacheFolders(directory)) {
            try (Stream<Path> files = Files.walk(folder, SEGMENTS_DEPTH)) {
                bytes += files.filter(Files::isRegularFile).mapToLong(Volume::length).sum();
            }
            catch (IOException | UncheckedIOException e) {
                // a running Presto that owns the files may remove them
                return bytes;
            }
        }
        return bytes;
    }

    private static List<Path> cacheFolders(Path directory)
    {
        try (Stream<Path> folders = Files.list(directory)) {
            return folders.filter(folder -> String.valueOf(folder.getFileName()).startsWith("segments-v")).toList();
        }
        catch (IOException e) {
            return List.of();
        }
    }

    private static long length(Path file)
    {
        try {
            return Files.size(file);
        }
        catch (IOException e) {
            return 0;
        }
    }

    /*
     * A partition has no queue of its own; the one of its disk, the folder above, counts. The kernel reports for all disks of virtual
     * machines that they rotate, so nothing is known about those.
     */
    static Optional<Boolean> rotates(String deviceName, Path blockDevices)
    {
        try {
            Path device = Path.of(deviceName);
            String name = String.valueOf((Files.exists(device) ? device.toRealPath() : device).getFileName());
            Path folder = blockDevices.resolve(name).toRealPath();
            for (Path queue : List.of(folder.resolve("queue/rotational"), folder.resolve("../queue/rotational"))) {
                if (Files.isReadable(queue)) {
                    boolean rotates = Files.readString(queue).trim().equals("1");
                    return rotates && isVirtual(name, queue) ? Optional.empty() : Optional.of(rotates);
                }
            }
        }
        catch (IOException | IllegalArgumentException e) {
            // not a block device: an overlay or a network file system
            return Optional.empty();
        }
        return Optional.empty();
    }

    private static boolean isVirtual(String name, Path queue)
            throws IOException
    {
        if (VIRTUAL_NAME.matcher(name).matches()) {
            return true;
        }
        Path disk = queue.resolve("../..").normalize();
        for (String fact : List.of("device/vendor", "device/model")) {
            if (Files.isReadable(disk.resolve(fact)) && VIRTUAL_MAKE.matcher(Files.readString(disk.resolve(fact))).find()) {
                return true;
            }
        }
        // the disks below a logical volume
        Path below = disk.resolve("slaves");
        if (!Files.isDirectory(below)) {
            return false;
        }
        try (Stream<Path> disks = Files.list(below)) {
            return disks.anyMatch(each -> VIRTUAL_NAME.matcher(String.valueOf(each.getFileName())).matches());
        }
    }
}
