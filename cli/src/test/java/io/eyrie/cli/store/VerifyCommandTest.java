// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.store;

import com.fasterxml.jackson.databind.JsonNode;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cli.CommandRun;
import io.eyrie.cli.TestingCache;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import static org.assertj.core.api.Assertions.assertThat;

final class VerifyCommandTest
{
    /** Where the first slot starts: slots of pages of 64 KiB are larger than this power of two, and smaller than the next. */
    private static final int FIRST_SLOT = 64 << 10;

    private static final int PAGE = TestingCache.PAGE;

    private final Path root;
    private final Path directory;
    private final Path json;
    private final Path key;

    VerifyCommandTest(@TempDir Path root)
            throws IOException
    {
        this.root = root;
        directory = Files.createDirectory(root.resolve("cache"));
        json = root.resolve("out.json");
        key = TestingCache.key(root.resolve("key"), 7);
    }

    private void fill(boolean encrypted)
            throws IOException
    {
        PageCacheConfig.Builder config = TestingCache.config(directory);
        if (encrypted) {
            config.encryptionKey(Optional.of(TestingCache.named(key)));
        }
        try (TestingCache cache = new TestingCache(config.build())) {
            cache.read(1, 3 * PAGE, "clicks", "ds=1");
            cache.read(2, 2 * PAGE, "views", "ds=1");
        }
    }

    private static void flip(Path file, int position)
            throws IOException
    {
        byte[] content = Files.readAllBytes(file);
        content[position] ^= (byte) 16;
        Files.write(file, content);
    }

    private CommandRun verify()
    {
        return CommandRun.of("verify", directory, "--wait", "0", "--key-file", key, "--json", json);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void wholeCache(boolean encrypted)
            throws IOException
    {
        fill(encrypted);
        CommandRun run = verify();
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("5 pages, 80 granules", "no damage found");
        JsonNode report = CommandRun.json(json).get(0);
        assertThat(report.get("good").asBoolean()).isTrue();
        assertThat(report.get("pages").asInt()).isEqualTo(5);
        assertThat(report.get("damages")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void byteOfASegmentThatIsTurned(boolean encrypted)
            throws IOException
    {
        fill(encrypted);
        Path segment = TestingCache.file(directory, ".segment");
        flip(segment, FIRST_SLOT + 5_000);
        CommandRun run = verify();

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).contains("1 page damaged", "its bytes do not verify", String.valueOf(segment.getFileName()));
        JsonNode report = CommandRun.json(json).get(0);
        assertThat(report.get("good").asBoolean()).isFalse();
        assertThat(report.at("/damages")).hasSize(1);
        assertThat(report.at("/damages/0/file").asText()).isEqualTo(segment.toString());
        assertThat(report.at("/damages/0/table").asText()).startsWith("hive.web.");
        assertThat(report.at("/damages/0/offset_bytes").asInt()).isEqualTo(FIRST_SLOT);
        assertThat(report.at("/damages/0/granules").asInt()).isEqualTo(1);
    }

    @Test
    void segmentThatIsCutOff()
            throws IOException
    {
        fill(false);
        Path segment = TestingCache.file(directory, ".segment");
        try (FileChannel channel = FileChannel.open(segment, StandardOpenOption.WRITE)) {
            channel.truncate(FIRST_SLOT + 100_000);
        }
        CommandRun run = verify();
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).contains("4 pages damaged", "its segment's file ends before it");
    }

    @Test
    void segmentThatIsMissing()
            throws IOException
    {
        fill(false);
        Path segment = TestingCache.file(directory, ".segment");
        Files.delete(segment);
        CommandRun run = verify();
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).contains("5 pages damaged", segment + ": it is missing");
        assertThat(CommandRun.json(json).at("/0/broken_files/0/what").asText()).isEqualTo("it is missing");
    }

    @Test
    void snapshotThatIsDamaged()
            throws IOException
    {
        fill(false);
        Path snapshot = TestingCache.files(directory).stream().filter(file -> file.toString().contains("snapshot-")).findFirst().orElseThrow();
        flip(snapshot, 300);
        CommandRun run = verify();
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).contains("journal not intact: 1 damaged part");
    }

    @Test
    void keyThatIsMissingOrWrong()
            throws IOException
    {
        fill(true);
        assertThat(CommandRun.of("verify", directory).exitCode()).isEqualTo(1);
        CommandRun wrong = CommandRun.of("verify", directory, "--key-file", TestingCache.key(root.resolve("other"), 8));
        assertThat(wrong.exitCode()).isEqualTo(1);
        assertThat(wrong.err()).contains("a key other than");
    }

    /** Pages are cached and evicted all the time: a page that is evicted while it is verified is not damage. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void cacheThatItsOwnerChangesAllTheTime(boolean encrypted)
            throws Exception
    {
        PageCacheConfig.Builder config = TestingCache.config(directory).capacityBytes(4 << 20);
        if (encrypted) {
            config.encryptionKey(Optional.of(TestingCache.named(key)));
        }
        AtomicBoolean ended = new AtomicBoolean();
        try (TestingCache cache = new TestingCache(config.build())) {
            CompletableFuture<Void> reader = CompletableFuture.runAsync(() -> {
                for (int file = 0; !ended.get(); file++) {
                    read(cache, file % 200);
                }
            });
            try {
                for (int look = 0; look < 3; look++) {
                    CommandRun run = CommandRun.of("verify", directory, "--key-file", key);
                    assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
                }
            }
            finally {
                ended.set(true);
                reader.get();
            }
        }
        assertThat(verify().exitCode()).isZero();
    }

    private static void read(TestingCache cache, int file)
    {
        try {
            cache.read(file, 3 * PAGE, "t" + file % 3, "");
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
