// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.presto;

import org.junit.jupiter.api.Test;

import java.io.File;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

final class PrestoServerMainTest
{
    /** Stands for a server that runs until it is stopped. */
    static final class Endless
    {
        private Endless()
        {}

        public static void main(String[] arguments)
                throws InterruptedException
        {
            new CountDownLatch(1).await();
        }
    }

    @Test
    void serverEndsWithItsParent()
            throws Exception
    {
        String classPath = Path.of("target", "classes") + File.pathSeparator + Path.of("target", "test-classes");
        Process process = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp", classPath, PrestoServerMain.class.getName(), Endless.class
                        .getName())
                .inheritIO()
                .redirectInput(ProcessBuilder.Redirect.PIPE)
                .start();
        try {
            // the operating system does this when the parent is killed
            process.getOutputStream().close();
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(PrestoServerMain.ORPHANED);
        }
        finally {
            process.destroyForcibly();
        }
    }
}
