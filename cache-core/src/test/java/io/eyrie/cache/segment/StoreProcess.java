// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.file.StoreId;
import io.eyrie.cache.policy.EvictionKind;
import io.eyrie.cache.store.PageKey;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.StorageClass;
import io.eyrie.cache.store.WriteOutcome;

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
import java.util.stream.Stream;

import static io.eyrie.cache.page.Eventually.eventually;
import static io.eyrie.cache.page.TestingSource.randomBytes;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/** A separate process that owns a store and writes pages until it is killed. */
final class StoreProcess
        implements AutoCloseable
{
    static final int PAGE = 64 << 10;
    static final int FILE_PAGES = 1 << 20;
    static final int FLUSH_MILLIS = 50;

    private static final String FLUSHED = "all is in the journal";

    private final Process process;
    private final BufferedReader output;
    private final Writer input;

    private StoreProcess(Process process)
    {
        this.process = process;
        input = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
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
                .evictionPolicy(EvictionKind.LRU)
                .build();
    }

    static PageKey key(long page)
    {
        return PageKey.of(new FileVersion(StoreId.shared("s3"), "/a", (long) FILE_PAGES * PAGE, 0, Optional.empty()), page);
    }

    /** Returns a store whose directory is in service. */
    static SegmentPageStore open(Path base, long capacityBytes)
    {
        SegmentPageStore store = SegmentPageStore.open(config(base, capacityBytes));
        eventually("the directory is in service", () -> store.directories().get(0).table() != null);
        return store;
    }

    /**
     * Opens the store and writes the pages that each line of its input names, "FIRST COUNT". Prints "page N" for each page that is stored. After an
     * empty line, it prints {@link #FLUSHED} when the journal holds all of them, without requesting a flush.
     */
    public static void main(String[] args)
            throws IOException
    {
        PageTags tags = new PageTags(Scope.NONE, StorageClass.DATA);
        try (SegmentPageStore store = open(Path.of(args[0]), Long.parseLong(args[1]));
                BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String command = commands.readLine(); command != null; command = commands.readLine()) {
                if (command.isEmpty()) {
                    eventually(FLUSHED, () -> requireNonNull(store.directories().get(0).table()).isWhole());
                    System.out.println(FLUSHED);
                    continue;
                }
                int[] numbers = Stream.of(command.split(" ", -1)).mapToInt(Integer::parseInt).toArray();
                for (int page = numbers[0]; page < numbers[0] + numbers[1]; page++) {
                    WriteOutcome outcome = store.write(key(page), tags, PAGE, 0, ByteBuffer.wrap(randomBytes(page, PAGE)), store.epoch());
                    System.out.println((outcome == WriteOutcome.STORED ? "page " : "not stored ") + page);
                }
            }
        }
    }

    long pid()
    {
        return process.pid();
    }

    /** Requests the process to write some pages. */
    void write(int first, int count)
            throws IOException
    {
        input.write(first + " " + count + "\n");
        input.flush();
    }

    /** Waits until {@code count} more pages are stored. */
    void awaitSome(int count)
            throws IOException
    {
        for (int i = 0; i < count; i++) {
            assertThat(output.readLine()).startsWith("page ");
        }
    }

    /** Waits until all pages requested so far are in the journal. */
    void awaitFlush()
            throws IOException
    {
        input.write("\n");
        input.flush();
        assertThat(output.readLine()).isEqualTo(FLUSHED);
    }

    /** Kills the process, as kill -9 does. */
    @Override
    public void close()
            throws IOException
    {
        process.destroyForcibly().onExit().orTimeout(60, TimeUnit.SECONDS).join();
        output.close();
    }
}
