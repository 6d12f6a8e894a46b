package io.eyrie.cache.segment;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;

/** Whatever readers and writers of an index see, they could have seen one after the other. Lincheck tries, in a process of its own, which it rewrites. */
final class PageIndexLinearizabilityIT
{
    private static final int ITERATIONS = Boolean.getBoolean("eyrie.stress") ? 500 : 20;

    @Test
    void readersSeeWhatOneAfterTheOtherWouldHaveSeen()
            throws Exception
    {
        Process process = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
                "--add-exports=java.base/jdk.internal.util=ALL-UNNAMED",
                "--add-exports=java.base/sun.security.action=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                PageIndexOperations.class.getName(),
                String.valueOf(ITERATIONS))
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        assertThat(output).contains(PageIndexOperations.DONE);
    }
}
