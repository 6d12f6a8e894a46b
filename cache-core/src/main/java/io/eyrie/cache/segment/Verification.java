package io.eyrie.cache.segment;

import io.eyrie.cache.file.Scope;
import io.eyrie.cache.journal.Recovery;

import java.nio.file.Path;
import java.util.List;

import static java.util.Objects.requireNonNull;

/**
 * What a look at all bytes of a directory found.
 *
 * @param pages how many pages were looked at
 * @param granules how many granules of them
 * @param bytes what was read
 * @param uncheckedPages pages of one sector, of which nothing is on the disk that their checksum could be compared with; a read of the file can
 * @param changedPages pages that looked damaged until the journal told that they had left or been replaced
 * @param damages all pages that no read would give back whole
 * @param brokenFiles files of segments that are not as the journal says
 * @param journal what reading the journal found
 */
public record Verification(
        long pages,
        long granules,
        long bytes,
        long uncheckedPages,
        long changedPages,
        List<Damage> damages,
        List<BrokenFile> brokenFiles,
        Recovery journal)
{
    public Verification
    {
        damages = List.copyOf(damages);
        brokenFiles = List.copyOf(brokenFiles);
        requireNonNull(journal, "journal is null");
    }

    /** Whether everything is as it should be. A log that ends within a record is: a crash leaves it so. */
    public boolean isGood()
    {
        return damages.isEmpty() && brokenFiles.isEmpty() && journal.whole();
    }

    /**
     * A page that is damaged.
     *
     * @param file the segment that it lies in, from {@code offsetBytes} on
     * @param lengthBytes the length of the page
     * @param granules how many of its granules are damaged
     * @param what what is wrong, in words
     */
    public record Damage(Scope scope, Path file, long offsetBytes, int lengthBytes, int granules, String what)
    {
        public Damage
        {
            requireNonNull(scope, "scope is null");
            requireNonNull(file, "file is null");
            requireNonNull(what, "what is null");
        }
    }

    /** A file of a segment, and what is wrong with it, in words. */
    public record BrokenFile(Path file, String what)
    {
        public BrokenFile
        {
            requireNonNull(file, "file is null");
            requireNonNull(what, "what is null");
        }
    }
}
