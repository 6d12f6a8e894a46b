// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.device.Device;
import io.eyrie.cache.device.Device.OpenMode;
import io.eyrie.cache.device.DeviceException;
import io.eyrie.cache.device.DeviceFile;
import io.eyrie.cache.device.DeviceOutcome;

import java.lang.System.Logger.Level;
import java.net.URLDecoder;
import java.net.URLEncoder;
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
    static final String FILE_NAME = "volumes";

    private static final System.Logger logger = System.getLogger(Volumes.class.getName());
    private static final String FIRST_LINE = "eyrie-volumes 1";
    private static final String TEMPORARY_SUFFIX = ".tmp";
    private static final int MAX_BYTES = 1 << 20;

    private final Device device;
    private final List<Path> directories;

    /** The content of one file: the number of the start that wrote it, and sizes by directory. */
    private record VolumeSizes(long number, Map<Path, Long> bytes)
    {
        private static final VolumeSizes NOTHING = new VolumeSizes(0, Map.of());
    }

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
                newest = known.number() > newest.number() ? known : newest;
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
        try (DeviceFile file = device.open(directory.resolve(FILE_NAME), OpenMode.READ)) {
            ByteBuffer content = ByteBuffer.allocate((int) Math.min(MAX_BYTES, file.lengthBytes()));
            return file.read(0, content) == DeviceOutcome.OK ? parse(StandardCharsets.UTF_8.decode(content.flip()).toString()) : VolumeSizes.NOTHING;
        }
        catch (DeviceException e) {
            return VolumeSizes.NOTHING;
        }
    }

    private static VolumeSizes parse(String text)
    {
        String[] lines = text.split("\n", -1);
        if (lines.length < 2 || !lines[0].equals(FIRST_LINE)) {
            return VolumeSizes.NOTHING;
        }
        try {
            Map<Path, Long> bytes = new HashMap<>();
            for (String line : List.of(lines).subList(2, lines.length)) {
                String[] words = line.split(" ", 2);
                if (words.length == 2) {
                    bytes.put(Path.of(URLDecoder.decode(words[1], StandardCharsets.UTF_8)), Long.parseUnsignedLong(words[0]));
                }
            }
            return new VolumeSizes(Long.parseUnsignedLong(lines[1]), bytes);
        }
        catch (IllegalArgumentException e) {
            return VolumeSizes.NOTHING;
        }
    }

    private void write(Path directory, VolumeSizes known)
    {
        StringBuilder text = new StringBuilder(FIRST_LINE + "\n" + known.number() + "\n");
        known.bytes().forEach((path, size) -> text.append(size).append(' ').append(URLEncoder.encode(path.toString(), StandardCharsets.UTF_8)).append(
                '\n'));
        Path path = directory.resolve(FILE_NAME);
        Path temporary = directory.resolve(FILE_NAME + TEMPORARY_SUFFIX);
        try {
            DeviceOutcome outcome;
            try (DeviceFile file = device.open(temporary, OpenMode.REPLACE)) {
                outcome = file.write(0, ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8)));
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
