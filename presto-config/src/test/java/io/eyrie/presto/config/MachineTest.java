// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.config;

import io.eyrie.cache.PageCaches;
import io.eyrie.cache.segment.VolumeSizes;
import io.eyrie.presto.config.Machine.DirectoryVolume;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

import static com.google.common.util.concurrent.Uninterruptibles.awaitUninterruptibly;
import static org.assertj.core.api.Assertions.assertThat;

/** The sizes of volumes of which one is missing. If they decreased, the caches on the others would drop pages. */
class MachineTest
{
    private static final Path A = Path.of("/mnt/a");
    private static final Path B = Path.of("/mnt/b");
    private static final Path C = Path.of("/mnt/c");

    private static DirectoryVolume present(Path directory, long bytes, VolumeSizes recorded)
    {
        return new DirectoryVolume(directory, directory.toString(), bytes, recorded);
    }

    @Test
    void missingVolumeHasTheSizeThatTheNewestFileRecords()
    {
        VolumeSizes older = new VolumeSizes(3, Map.of(A, 100L, B, 300L, C, 400L));
        VolumeSizes newer = new VolumeSizes(4, Map.of(A, 100L, B, 300L, C, 800L));
        assertThat(Machine.sizes(List.of(A, B, C), directory -> directory.equals(C)
                ? DirectoryVolume.missing(directory)
                : present(directory, directory.equals(A) ? 100 : 300, directory.equals(A) ? older : newer), 60_000)).containsExactly(100L, 300L,
                        800L);
    }

    @Test
    void volumeOfUnknownSizeCountsAsTheMeanOfTheOthers()
    {
        assertThat(Machine.sizes(List.of(A, B, C), directory -> directory.equals(B)
                ? DirectoryVolume.missing(directory)
                : present(directory, directory.equals(A) ? 100 : 300, VolumeSizes.NOTHING), 60_000)).containsExactly(100L, 300L, 200L);
        assertThat(Machine.sizes(List.of(A, B), DirectoryVolume::missing, 60_000)).isNull();
    }

    @Test
    void volumeThatDoesNotAnswerIsMissing()
    {
        CountDownLatch ended = new CountDownLatch(1);
        VolumeSizes recorded = new VolumeSizes(1, Map.of(A, 100L, B, 700L));
        try {
            assertThat(Machine.sizes(List.of(A, B), directory -> {
                if (directory.equals(B)) {
                    awaitUninterruptibly(ended);
                }
                return present(directory, 100, recorded);
            }, 500)).containsExactly(100L, 700L);
        }
        finally {
            ended.countDown();
        }
        assertThat(Machine.sizes(List.of(A, B), directory -> {
            if (directory.equals(B)) {
                throw new IllegalStateException("fails");
            }
            return present(directory, 100, recorded);
        }, 60_000)).containsExactly(100L, 700L);
    }

    @Test
    void realDirectories(@TempDir Path directory)
            throws IOException
    {
        Path disk = Files.createDirectory(directory.resolve("disk"));
        Path link = Files.createSymbolicLink(directory.resolve("link"), disk);
        Path present = Files.createDirectory(directory.resolve("present"));
        String missing = URLEncoder.encode(PageCaches.resolve(disk.resolve("eyrie")).toString(), StandardCharsets.UTF_8);
        Files.writeString(present.resolve("volumes"), "eyrie-volumes 1\n7\n4321 " + missing + "\n");
        assertThat(Machine.current(false).volumes().apply(List.of(present, link.resolve("eyrie"))))
                .containsExactly(Files.getFileStore(present).getTotalSpace(), 4321L);
    }
}
