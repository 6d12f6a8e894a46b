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
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The sizes of the volumes of a store's directories. A volume that is missing has the size that an earlier start saw, so that the pages of the other
 * volumes remain where they are.
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

    Volumes(Device device, List<Path> directories)
    {
        this.device = device;
        this.directories = directories;
    }

    /**
     * Returns the size of each directory's volume, now or when it was last present; 0 if no start saw it.
     *
     * @param mayWrite whether this process owns a directory, so that its file is updated
     */
    long[] sizes(Predicate<Path> mayWrite)
    {
        long[] now = directories.stream().mapToLong(this::totalBytes).toArray();
        if (now.length == 1) {
            return now;
        }
        VolumeSizes newest = VolumeSizes.NOTHING;
        Map<Path, VolumeSizes> files = new HashMap<>();
        for (int i = 0; i < now.length; i++) {
            if (now[i] > 0) {
                VolumeSizes known = read(directories.get(i));
                files.put(directories.get(i), known);
                newest = newest.newer(known);
            }
        }
        Map<Path, Long> bytes = new TreeMap<>();
        for (int i = 0; i < now.length; i++) {
            now[i] = now[i] > 0 ? now[i] : newest.bytes().getOrDefault(directories.get(i), 0L);
            if (now[i] > 0) {
                bytes.put(directories.get(i), now[i]);
            }
        }
        VolumeSizes current = new VolumeSizes(newest.bytes().equals(bytes) ? newest.number() : newest.number() + 1, bytes);
        files.forEach((directory, known) -> {
            if (mayWrite.test(directory) && !known.equals(current)) {
                write(directory, current);
            }
        });
        return now;
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
