package io.eyrie.cache.disk;

import io.eyrie.cache.page.PageKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

final class PageFolderTest
{
    private static final int THREADS = 4;
    private static final int ROUNDS = 500;

    @Test
    void writersMeetInANewFolder(@TempDir Path base)
            throws Exception
    {
        PageFolder folder = new PageFolder(base, 1 << 20, new LocalVolume());
        folder.create();
        CyclicBarrier start = new CyclicBarrier(THREADS);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            for (int round = 0; round < ROUNDS; round++) {
                List<Future<?>> writers = new ArrayList<>();
                for (int thread = 0; thread < THREADS; thread++) {
                    PageKey key = new PageKey(0, round, thread);
                    writers.add(threads.submit(() -> {
                        start.await(60, TimeUnit.SECONDS);
                        folder.write(key, 1, ByteBuffer.allocate(10), ByteBuffer.allocate(10));
                        return null;
                    }));
                }
                for (Future<?> writer : writers) {
                    writer.get(60, TimeUnit.SECONDS);
                }
                Path shard = folder.file(new PageKey(0, round, 0)).resolveSibling("");
                for (Path file : StoreFiles.pages(base)) {
                    Files.delete(file);
                }
                Files.delete(shard);
            }
        }
        finally {
            threads.shutdownNow();
        }
        assertThat(StoreFiles.pages(base)).isEmpty();
    }
}
