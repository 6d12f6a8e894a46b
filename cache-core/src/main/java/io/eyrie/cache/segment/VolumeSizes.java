// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.device.OwnPaths;

import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The sizes of the volumes of a store's directories, as one start saw them: the content of a file {@code volumes}.
 *
 * @param number of the start; later starts that saw other sizes have higher numbers
 * @param bytes the size of each directory's volume, by real path; without the volumes that no start has seen
 */
public record VolumeSizes(long number, Map<Path, Long> bytes)
{
    /** What a directory without a file knows. */
    public static final VolumeSizes NOTHING = new VolumeSizes(0, Map.of());

    static final String FILE_NAME = "volumes";
    static final int MAX_BYTES = 1 << 20;
    private static final String FIRST_LINE = "eyrie-volumes 1";

    public VolumeSizes
    {
        bytes = Map.copyOf(bytes);
    }

    /** Reads the file of a base directory; {@link #NOTHING} if it is missing, damaged, or not safe to read. */
    public static VolumeSizes read(Path directory)
    {
        Path file = directory.resolve(FILE_NAME);
        try {
            return Files.size(file) > MAX_BYTES ? NOTHING : parse(new String(OwnPaths.readFile(file), StandardCharsets.UTF_8));
        }
        catch (IOException e) {
            return NOTHING;
        }
    }

    /** Returns the one that a later start saw. */
    public VolumeSizes newer(VolumeSizes other)
    {
        return other.number > number ? other : this;
    }

    static VolumeSizes parse(String text)
    {
        String[] lines = text.split("\n", -1);
        if (lines.length < 2 || !lines[0].equals(FIRST_LINE)) {
            return NOTHING;
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
            return NOTHING;
        }
    }

    String text()
    {
        StringBuilder text = new StringBuilder(FIRST_LINE + "\n" + number + "\n");
        bytes.entrySet().stream().sorted(Map.Entry.comparingByKey()).forEach(volume -> text.append(volume.getValue()).append(' ').append(
                URLEncoder.encode(volume.getKey().toString(), StandardCharsets.UTF_8)).append('\n'));
        return text.toString();
    }
}
