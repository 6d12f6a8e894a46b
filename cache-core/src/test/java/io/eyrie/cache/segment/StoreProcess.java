package io.eyrie.cache.segment;

import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.file.StoreId;
import io.eyrie.cache.page.PageKey;
import io.eyrie.cache.page.PageTags;
import io.eyrie.cache.page.StorageClass;
import io.eyrie.cache.page.WriteOutcome;
import io.eyrie.cache.policy.EvictionKind;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
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
    private final Writer input;

    private StoreProcess(Process process)
    {
        this.process = process;
        input = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
        output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    static StoreProcess start(Path base, long capacityBytes, int firstPage)
            throws IOException
    {
        return new StoreProcess(new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                StoreProcess.class.getName(),
                base.toString(),
                String.valueOf(capacityBytes),
                String.valueOf(firstPage))
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
                .evictionPolicy(EvictionKind.LRU)
                .build();
    }

    static PageKey key(long page)
    {
        return PageKey.of(new FileVersion(StoreId.shared("s3"), "/a", (long) FILE_PAGES * PAGE, 0, Optional.empty()), page);
    }

    /** Opens the store, and writes as many pages, from a first one on, as each line of its input says; says "page N" of each that it has written. */
    public static void main(String[] args)
            throws IOException
    {
        PageTags tags = new PageTags(Scope.NONE, StorageClass.DATA);
        int page = Integer.parseInt(args[2]);
        try (SegmentPageStore store = SegmentPageStore.open(config(Path.of(args[0]), Long.parseLong(args[1])));
                BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String count = commands.readLine(); count != null; count = commands.readLine()) {
                for (int i = 0; i < Integer.parseInt(count); i++) {
                    WriteOutcome outcome = store.write(key(page), tags, PAGE, 0, ByteBuffer.wrap(randomBytes(page, PAGE)), store.epoch());
                    // one that is there counts as written now, too
                    System.out.println((outcome == WriteOutcome.STORED ? "page " : "not stored ") + page);
                    page = (page + 1) % FILE_PAGES;
                }
            }
        }
    }

    long pid()
    {
        return process.pid();
    }

    /** Lets it write some pages. */
    void write(int pages)
            throws IOException
    {
        input.write(pages + "\n");
        input.flush();
    }

    /** Waits until it has written some more pages; returns the last one. */
    int awaitSome(int count)
            throws IOException
    {
        String line = "";
        for (int i = 0; i < count; i++) {
            line = output.readLine();
            assertThat(line).startsWith("page ");
        }
        return Integer.parseInt(line.substring("page ".length()));
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
