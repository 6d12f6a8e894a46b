// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import java.nio.file.Path;
import java.util.OptionalLong;

import static java.util.Objects.requireNonNull;

/**
 * A segment that a journal names.
 *
 * @param slots how many slots it may have; {@code takenSlots} of them hold pages
 * @param mostFileBytes the largest length that its file may have
 * @param fileBytes the length of its file; empty if the file is missing
 */
public record StoredSegment(int number, Path file, int slotBytes, int slots, int takenSlots, long mostFileBytes, OptionalLong fileBytes)
{
    public StoredSegment
    {
        requireNonNull(file, "file is null");
        requireNonNull(fileBytes, "fileBytes is null");
    }
}
