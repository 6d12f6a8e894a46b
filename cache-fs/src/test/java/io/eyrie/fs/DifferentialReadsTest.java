// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fs;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

class DifferentialReadsTest
{
    private static final int[] LENGTHS = {0, 1, 64 << 10, (64 << 10) + 1, 1_000_003, 5 << 20};

    @AfterEach
    void closeCaches()
    {
        ProcessCaches.closeAll();
    }

    /** With a cache that holds a third of the files, so that pages are evicted and cached again. */
    @Test
    void readsDiffer(@TempDir java.nio.file.Path directory)
            throws Exception
    {
        List<Path> files = new ArrayList<>();
        Random random = new Random(1);
        for (int length : LENGTHS) {
            byte[] bytes = new byte[length];
            random.nextBytes(bytes);
            files.add(new Path(Files.write(directory.resolve("file-" + length), bytes).toUri()));
        }
        Configuration configuration = TestingFileSystems.local(TestingFileSystems.cacheDirectory("differential"), RawLocalFileSystem.class);
        configuration.set(EyrieKeys.CAPACITY, "2m");
        try (FileSystem wrapped = TestingFileSystems.open(TestingFileSystems.LOCAL, configuration); FileSystem unwrapped = new RawLocalFileSystem()) {
            unwrapped.initialize(TestingFileSystems.LOCAL, new Configuration());
            new DifferentialReads(wrapped, unwrapped, files).run(DifferentialReads.count(20_000, 1_000_000));
        }
    }
}
