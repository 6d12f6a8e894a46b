// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests a store on a file system that is really full: a small one in memory, in the mount namespace of a separate process. */
final class FullDiskIT
{
    private static final int MEGABYTES = 16;

    @Test
    void storeOnAFileSystemThatIsFullServesAndMakesRoomAndHeals(@TempDir Path directory)
            throws Exception
    {
        ProcessResult ran = run(List.of("unshare", "--map-root-user", "--mount"), directory);
        if (!ran.output.contains(FullDisk.MOUNTED)) {
            // users may not create namespaces here; root may
            ran = run(List.of("unshare", "--mount"), directory);
        }
        assertThat(ran.output).as("this test needs to mount a file system in memory, as root or in a user's namespace").contains(FullDisk.MOUNTED);
        assertThat(ran.status).as(ran.output).isZero();
        assertThat(ran.output).contains(FullDisk.DONE);
    }

    private record ProcessResult(int status, String output)
    {}

    private static ProcessResult run(List<String> unshare, Path directory)
            throws IOException,
            InterruptedException
    {
        ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(unshare));
        builder.command().addAll(List.of(
                "sh",
                "-c",
                "mount -t tmpfs -o size=" + MEGABYTES + "m none \"$1\" && echo " + FullDisk.MOUNTED
                        + " && exec \"$2\" -Xmx128m -cp \"$3\" \"$4\" \"$1\"",
                "sh",
                directory.toString(),
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                System.getProperty("java.class.path"),
                FullDisk.class.getName()));
        Process process = builder.redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new ProcessResult(process.waitFor(), output);
    }
}
