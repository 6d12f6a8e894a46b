// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.device.Device;
import io.eyrie.cache.device.Device.OpenMode;
import io.eyrie.cache.device.DeviceException;
import io.eyrie.cache.device.DeviceFile;
import io.eyrie.cache.device.DeviceOutcome;

import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The sizes of the volumes of a store's directories. A volume that is missing has the size that an earlier start saw, so that the pages of the other
 * volumes remain where they are. Thread-safe.
 */
final class Volumes
{
    /*
     * File     BASE/volumes in each directory that serves, about all directories: docs/formats/volumes-v1.md. Replaced atomically if its content changes
     * Newest   files may differ, because each is written only while its volume is present; the highest number of a start wins
     */
    private static final System.Logger logger = System.getLogger(Volumes.class.getName());
    private static final String TEMPORARY_SUFFIX = ".tmp";

    private final Device device;
    private final List<Path> directories;
    private final Map<Path, PresentVolume> present = new ConcurrentHashMap<>();
    private volatile VolumeSizes current = VolumeSizes.NOTHING;

    /** @param known the sizes in the directory's file */
    private record PresentVolume(long bytes, VolumeSizes known)
    {}

    Volumes(Device device, List<Path> directories)
    {
        this.device = device;
        this.directories = directories;
    }

    /** Measures a directory's volume, and reads its file. A directory that this is not done for, or not in time, counts as missing. */
    void measure(Path directory)
    {
        long bytes = totalBytes(directory);
        if (bytes > 0) {
            present.put(directory, new PresentVolume(bytes, directories.size() == 1 ? VolumeSizes.NOTHING : read(directory)));
        }
    }

    /** Returns the size of each directory's volume, now or when it was last present; 0 if no start saw it. */
    long[] sizes()
    {
        Map<Path, PresentVolume> inTime = Map.copyOf(present);
        VolumeSizes newest = VolumeSizes.NOTHING;
        for (Path directory : directories) {
            PresentVolume volume = inTime.get(directory);
            newest = volume == null ? newest : newest.newer(volume.known());
        }
        Map<Path, Long> bytes = new HashMap<>();
        for (Path directory : directories) {
            PresentVolume volume = inTime.get(directory);
            long size = volume == null ? newest.bytes().getOrDefault(directory, 0L) : volume.bytes();
            if (size > 0) {
                bytes.put(directory, size);
            }
        }
        current = new VolumeSizes(newest.bytes().equals(bytes) ? newest.number() : newest.number() + 1, bytes);
        return directories.stream().mapToLong(directory -> bytes.getOrDefault(directory, 0L)).toArray();
    }

    /** Updates the file of a directory that this process owns, after {@link #sizes}. */
    void record(Path directory)
    {
        PresentVolume volume = present.get(directory);
        if (directories.size() > 1 && volume != null && !volume.known().equals(current)) {
            write(directory, current);
        }
    }

    private long totalBytes(Path directory)
    {
        try {
            return device.totalBytes(directory);
        }
        catch (DeviceException e) {
            return 0;
        }
    }

    private VolumeSizes read(Path directory)
    {
        try (DeviceFile file = device.open(directory.resolve(VolumeSizes.FILE_NAME), OpenMode.READ)) {
            ByteBuffer content = ByteBuffer.allocate((int) Math.min(VolumeSizes.MAX_BYTES, file.lengthBytes()));
            return file.read(0, content) == DeviceOutcome.OK
                    ? VolumeSizes.parse(StandardCharsets.UTF_8.decode(content.flip()).toString())
                    : VolumeSizes.NOTHING;
        }
        catch (DeviceException e) {
            return VolumeSizes.NOTHING;
        }
    }

    private void write(Path directory, VolumeSizes known)
    {
        Path path = directory.resolve(VolumeSizes.FILE_NAME);
        Path temporary = directory.resolve(VolumeSizes.FILE_NAME + TEMPORARY_SUFFIX);
        try {
            DeviceOutcome outcome;
            try (DeviceFile file = device.open(temporary, OpenMode.REPLACE)) {
                outcome = file.write(0, ByteBuffer.wrap(known.text().getBytes(StandardCharsets.UTF_8)));
                outcome = outcome == DeviceOutcome.OK ? file.force() : outcome;
            }
            if (outcome != DeviceOutcome.OK) {
                throw new DeviceException(outcome, "Writing " + temporary + " failed");
            }
            device.rename(temporary, path);
            device.forceDirectory(directory);
        }
        catch (DeviceException e) {
            logger.log(Level.WARNING, "The sizes of the volumes could not be written to " + path
                    + ". If a volume is missing at the next start, pages on the others may not be found", e);
        }
    }
}
