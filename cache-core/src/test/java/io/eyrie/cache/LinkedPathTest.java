// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class LinkedPathTest
{
    private final Path root;

    LinkedPathTest(@TempDir Path root)
            throws IOException
    {
        this.root = root.toRealPath();
    }

    private static Path followed(Path directory)
    {
        LinkedPath path = new LinkedPath(directory);
        path.follow();
        return path.known();
    }

    @Test
    void linksAreFollowed()
            throws IOException
    {
        Path disk = Files.createDirectories(root.resolve("mnt/disk/cache"));
        Files.createSymbolicLink(root.resolve("absolute"), root.resolve("mnt/disk"));
        Files.createSymbolicLink(root.resolve("relative"), Path.of("mnt/../absolute/./cache"));
        Files.createSymbolicLink(root.resolve("mnt/up"), Path.of("../relative"));
        for (String name : List.of("mnt/disk/cache", "absolute/cache", "relative", "mnt/up", "absolute/../disk/cache", "mnt/up/../cache/.")) {
            assertThat(followed(root.resolve(name))).as(name).isEqualTo(root.resolve(name).toRealPath()).isEqualTo(disk);
        }
        assertThat(followed(Path.of("/"))).isEqualTo(Path.of("/"));
        assertThat(followed(Path.of("cache"))).isEqualTo(Path.of("").toRealPath().resolve("cache"));
    }

    @Test
    void missingDirectoriesAndCircles()
            throws IOException
    {
        Files.createSymbolicLink(root.resolve("link"), root.resolve("missing"));
        assertThat(followed(root.resolve("link/cache"))).isEqualTo(root.resolve("missing/cache"));
        Files.createSymbolicLink(root.resolve("circle"), root.resolve("circle"));
        assertThat(followed(root.resolve("circle/cache"))).isEqualTo(root.resolve("circle/cache"));
    }

    @Test
    void linkToADiskThatDoesNotAnswer()
            throws IOException
    {
        Files.createSymbolicLink(root.resolve("link"), root.resolve("disk/cache"));
        LinkedPath path = new LinkedPath(root.resolve("link/eyrie"));
        List<Path> meanwhile = new ArrayList<>();
        path.follow(link -> {
            if (link.startsWith(root.resolve("disk"))) {
                meanwhile.add(path.known());
            }
            return Files.readSymbolicLink(link);
        });
        assertThat(meanwhile).isNotEmpty().containsOnly(root.resolve("disk/cache/eyrie"));
    }
}
