// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.inspection;

import io.eyrie.cache.file.Scope;
import io.eyrie.cache.journal.Recovery;

import java.nio.file.Path;
import java.util.List;

import static java.util.Objects.requireNonNull;

/**
 * The result of reading all bytes of a directory.
 *
 * @param pages number of pages that were read
 * @param granules number of their granules
 * @param bytes number of bytes that were read
 * @param changedPages pages that looked damaged at first, but were later dropped or replaced according to the journal, or verified
 * @param damages all pages whose slot names another page, or that no read would return completely
 * @param brokenFiles segment files that do not match the journal
 * @param journal the result of reading the journal
 */
public record Verification(
        long pages,
        long granules,
        long bytes,
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

    /** Whether nothing is damaged. A log that ends within a record is not damaged: a crash leaves it so. */
    public boolean isGood()
    {
        return damages.isEmpty() && brokenFiles.isEmpty() && journal.whole();
    }

    /**
     * A damaged page.
     *
     * @param file the segment that contains it, from {@code offsetBytes} on
     * @param lengthBytes the length of the page
     * @param granules number of its granules that are damaged
     * @param what the problem, in words
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

    /** A segment file and its problem, in words. */
    public record BrokenFile(Path file, String what)
    {
        public BrokenFile
        {
            requireNonNull(file, "file is null");
            requireNonNull(what, "what is null");
        }
    }
}
