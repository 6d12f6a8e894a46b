package io.eyrie.cache.segment;

import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.file.StoreId;
import io.eyrie.cache.page.PageKey;
import io.eyrie.cache.page.PageTags;
import io.eyrie.cache.page.StorageClass;
import io.eyrie.cache.page.WriteOutcome;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import static io.eyrie.cache.page.TestingSource.randomBytes;
import static org.assertj.core.api.Assertions.assertThat;

/** A process of its own that holds a store and writes pages until it is killed. */
final class StoreProcess
        implements AutoCloseable
{
    static final int PAGE = 64 << 10;
    static final int FILE_PAGES = 1000;
    static final int FLUSH_MILLIS = 50;

    private final Process process;
    private final BufferedReader output;

    private StoreProcess(Process process)
    {
        this.process = process;
        output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    static StoreProcess start(Path base, long capacityBytes)
            throws IOException
    {
        return new StoreProcess(new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                StoreProcess.class.getName(),
                base.toString(),
                String.valueOf(capacityBytes))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    static PageCacheConfig config(Path base, long capacityBytes)
    {
        return PageCacheConfig.builder()
                .baseDirectories(List.of(base))
                .capacityBytes(capacityBytes)
                .pageSizeBytes(PAGE)
                .minFreeSpaceBytes(0)
                .flushIntervalMillis(FLUSH_MILLIS)
                .build();
    }

    static PageKey key(long page)
    {
        return PageKey.of(new FileVersion(StoreId.shared("s3"), "/a", (long) FILE_PAGES * PAGE, 0, Optional.empty()), page);
    }

    /** Opens the store, and says "page N at NANOS" for each page that it has written. */
    public static void main(String[] args)
            throws IOException
    {
        PageTags tags = new PageTags(Scope.NONE, StorageClass.DATA);
        try (SegmentPageStore store = SegmentPageStore.open(config(Path.of(args[0]), Long.parseLong(args[1])))) {
            for (int page = 0;; page = (page + 1) % FILE_PAGES) {
                WriteOutcome outcome = store.write(key(page), tags, PAGE, 0, ByteBuffer.wrap(randomBytes(page, PAGE)), store.epoch());
                System.out.println((outcome == WriteOutcome.STORED ? "page " + page : "not stored") + " at " + System.nanoTime());
            }
        }
    }

    long pid()
    {
        return process.pid();
    }

    /** Waits until it has written some more pages. */
    void awaitPages(int count)
            throws IOException
    {
        for (int i = 0; i < count; i++) {
            awaitPage();
        }
    }

    /** Waits for a page; returns when it was written, on the clock of all processes. */
    long awaitPage()
            throws IOException
    {
        String line = output.readLine();
        assertThat(line).startsWith("page ");
        return Long.parseLong(line.substring(line.lastIndexOf(' ') + 1));
    }

    /** Ends it as kill -9 does. */
    @Override
    public void close()
            throws IOException
    {
        process.destroyForcibly().onExit().orTimeout(60, TimeUnit.SECONDS).join();
        output.close();
    }
}
