// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.check;

import io.eyrie.cache.device.OwnPaths;
import io.eyrie.cache.device.UnsafePathException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * Why this process cannot write to a directory.
 *
 * @param text a clause about the directory
 * @param fix a remedy, without a period
 */
public record DirectoryProblem(String text, String fix)
{
    public DirectoryProblem
    {
        requireNonNull(text, "text is null");
        requireNonNull(fix, "fix is null");
    }

    /**
     * Examines a directory; empty if this process may write to it.
     *
     * @param createdLater whether this process creates a missing directory when it first writes
     */
    public static Optional<DirectoryProblem> of(Path directory, boolean createdLater)
    {
        String fix = "install -d -m 700 " + directory + ", owned by the user that Presto runs as";
        try {
            if (Files.exists(directory)) {
                return Files.isWritable(OwnPaths.resolveDirectory(directory))
                        ? Optional.empty()
                        : Optional.of(new DirectoryProblem("this user may not write to it", fix));
            }
            if (!createdLater) {
                return Optional.of(new DirectoryProblem("it does not exist", fix));
            }
            Path there = directory;
            while (!Files.exists(there) && there.getParent() != null) {
                there = there.getParent();
            }
            return Files.isDirectory(there) && Files.isWritable(there)
                    ? Optional.empty()
                    : Optional.of(new DirectoryProblem("it does not exist, and this user may not create it", fix));
        }
        catch (UnsafePathException e) {
            return Optional.of(new DirectoryProblem(e.problem(), e.fix()));
        }
        catch (IOException | SecurityException e) {
            return Optional.of(new DirectoryProblem("it cannot be used (" + e + ")", fix));
        }
    }
}
