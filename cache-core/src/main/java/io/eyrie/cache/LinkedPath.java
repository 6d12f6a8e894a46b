// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * The path of a directory whose links are followed one after the other. While a disk does not answer, the links on other disks have their effect, usually all of them:
 * a link is rarely on the disk that it leads to. {@link #known} may be called by any thread.
 */
final class LinkedPath
{
    private static final int MAX_LINKS = 40;

    private volatile Path known;

    /** Reads the target of a symbolic link. */
    interface LinkReader
    {
        /**
         * Returns the target as the link names it.
         *
         * @throws IOException if there is no link at this path
         */
        Path target(Path link)
                throws IOException;
    }

    LinkedPath(Path directory)
    {
        known = directory.toAbsolutePath();
    }

    /** Returns the path with the links that have been followed so far. */
    Path known()
    {
        return known.normalize();
    }

    /** Follows all links that exist. A missing directory retains its name. */
    void follow()
    {
        follow(Files::readSymbolicLink);
    }

    void follow(LinkReader links)
    {
        Path real = requireNonNull(known.getRoot(), "an absolute path has a root");
        Deque<Path> rest = new ArrayDeque<>();
        known.forEach(rest::add);
        int mostLinks = MAX_LINKS;
        while (!rest.isEmpty()) {
            // real has no links, so that a name of .. is its parent
            Path here = real.resolve(rest.removeFirst()).normalize();
            Optional<Path> target = mostLinks > 0 ? target(links, here) : Optional.empty();
            if (target.isEmpty()) {
                real = here;
                continue;
            }
            mostLinks--;
            Path root = target.get().getRoot();
            real = root == null ? real : root;
            List<Path> names = new ArrayList<>();
            target.get().forEach(names::add);
            Collections.reverse(names);
            names.forEach(rest::addFirst);
            Path followed = real;
            for (Path name : rest) {
                followed = followed.resolve(name);
            }
            known = followed;
        }
        known = real;
    }

    private static Optional<Path> target(LinkReader links, Path path)
    {
        try {
            return Optional.of(links.target(path));
        }
        catch (IOException | UnsupportedOperationException e) {
            return Optional.empty();
        }
    }
}
