// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fs;

import io.eyrie.testing.link.LinkCounts;
import io.eyrie.testing.link.RequestKind;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Options.OpenFileOptions;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitterFactory;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Tests the wrapper over S3A on MinIO, and counts every request. */
class S3AFileSystemIT
{
    private static final int PAGE = 64 << 10;
    private static final int LENGTH = 20 * PAGE + 17;

    private final S3AStore store = S3AStore.get();
    private String key = "";
    private Path path = new Path("/");
    private byte[] bytes = {};

    @BeforeEach
    void setUp()
    {
        key = "files/" + UUID.randomUUID();
        path = new Path(S3AStore.URI_OF_BUCKET + key);
        put();
    }

    @AfterEach
    void clearFaults()
    {
        store.link().clearFaults();
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "analytics"})
    void warmReadMakesDataRequests(String stream)
            throws IOException
    {
        try (FileSystem fileSystem = open(stream)) {
            assertThat(readAll(fileSystem.open(path))).isEqualTo(bytes);
            LinkCounts before = store.link().counts();
            assertThat(readAll(fileSystem.open(path))).isEqualTo(bytes);
            LinkCounts warm = store.link().counts().minus(before);
            assertThat(warm.of(RequestKind.GET_DATA).requests()).isZero();
            assertThat(warm.of(RequestKind.HEAD).requests()).isEqualTo(1);
        }
    }

    @Test
    void coldReadFetchesBytesTwice()
            throws IOException
    {
        try (FileSystem fileSystem = open("classic")) {
            LinkCounts before = store.link().counts();
            assertThat(readAll(fileSystem.open(path))).isEqualTo(bytes);
            LinkCounts cold = store.link().counts().minus(before);
            assertThat(cold.dataBytes()).isEqualTo(bytes.length);
            assertThat(cold.of(RequestKind.HEAD).requests()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "analytics"})
    void warmOpenWithStatusOrLengthMakesRequests(String stream)
            throws Exception
    {
        try (FileSystem fileSystem = open(stream)) {
            FileStatus asked = fileSystem.getFileStatus(path);
            assertThat(readAll(fileSystem.open(path))).isEqualTo(bytes);
            FileStatus listed = listed(fileSystem);
            FileStatus plain = new FileStatus(listed.getLen(), false, 1, 1, listed.getModificationTime(), path);
            LinkCounts before = store.link().counts();
            for (FileStatus status : List.of(asked, listed, plain)) {
                assertThat(readAll(fileSystem.openFile(path).withFileStatus(status).build().get())).isEqualTo(bytes);
            }
            assertThat(readAll(fileSystem.openFile(path).opt(OpenFileOptions.FS_OPTION_OPENFILE_LENGTH, Integer.toString(LENGTH))
                    .opt(OpenFileOptions.FS_OPTION_OPENFILE_READ_POLICY, OpenFileOptions.FS_OPTION_OPENFILE_READ_POLICY_WHOLE_FILE)
                    .opt(OpenFileOptions.FS_OPTION_OPENFILE_SPLIT_START, "0")
                    .opt(OpenFileOptions.FS_OPTION_OPENFILE_SPLIT_END, Integer.toString(LENGTH)).build().get())).isEqualTo(bytes);
            assertThat(store.link().counts().minus(before).requests()).isZero();
        }
    }

    @Test
    void freshStatusIsAskedForAgain()
            throws IOException
    {
        Configuration configuration = store.wrapped(TestingFileSystems.cacheDirectory("s3a"), "classic");
        configuration.set(EyrieKeys.STATUS_TTL, "1h");
        try (FileSystem fileSystem = TestingFileSystems.open(S3AStore.URI_OF_BUCKET, configuration)) {
            readAll(fileSystem.open(path));
            LinkCounts before = store.link().counts();
            assertThat(readAll(fileSystem.open(path))).isEqualTo(bytes);
            assertThat(store.link().counts().minus(before).requests()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "analytics"})
    void overwriteInTheSameSecondIsMissed(String stream)
            throws IOException
    {
        try (FileSystem fileSystem = open(stream)) {
            for (int i = 0; i < 5; i++) {
                assertThat(readAll(fileSystem.open(path))).isEqualTo(bytes);
                put();
            }
            assertThat(readAll(fileSystem.open(path))).isEqualTo(bytes);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "analytics"})
    void overwriteWhileReadingIsUnclear(String stream)
            throws Exception
    {
        // the analytics stream holds smaller objects completely in memory
        put(12 << 20);
        try (FileSystem fileSystem = open(stream)) {
            FileStatus stale = listed(fileSystem);
            try (FSDataInputStream reading = fileSystem.openFile(path).withFileStatus(stale).build().get()) {
                reading.readFully(0, new byte[100]);
                put(12 << 20);
                assertThatThrownBy(() -> reading.readFully(10 << 20, new byte[100]))
                        .isInstanceOf(FileChangedException.class)
                        .hasMessageContaining(path.toString())
                        .hasMessageContaining("changed after it was opened");
            }
            assertThatThrownBy(() -> readAll(fileSystem.openFile(path).withFileStatus(stale).build().get())).isInstanceOf(FileChangedException.class);
            assertThat(readAll(fileSystem.open(path))).isEqualTo(bytes);
        }
    }

    @Test
    void vectoredReadIsServedRangeByRange()
            throws Exception
    {
        try (FileSystem fileSystem = open("classic"); FSDataInputStream stream = fileSystem.open(path)) {
            for (int pass = 0; pass < 2; pass++) {
                LinkCounts before = store.link().counts();
                List<FileRange> ranges = new ArrayList<>();
                for (int i = 0; i < 10; i++) {
                    ranges.add(FileRange.createFileRange(100 + i * 1000L, 500));
                }
                ranges.add(FileRange.createFileRange(15 * PAGE, 1000));
                stream.readVectored(ranges, ByteBuffer::allocateDirect);
                for (FileRange range : ranges) {
                    ByteBuffer expected = ByteBuffer.wrap(bytes, (int) range.getOffset(), range.getLength());
                    assertThat(range.getData().get(1, TimeUnit.MINUTES)).isEqualTo(expected);
                }
                assertThat(store.link().counts().minus(before).of(RequestKind.GET_DATA).requests()).isEqualTo(pass == 0 ? 2 : 0);
            }
        }
    }

    @Test
    void readsDiffer()
            throws Exception
    {
        Path small = new Path(S3AStore.URI_OF_BUCKET + key + "-small");
        store.server().client().put(S3AStore.BUCKET, key + "-small", random(1000));
        try (FileSystem fileSystem = open("classic"); FileSystem unwrapped = store.unwrapped()) {
            new DifferentialReads(fileSystem, unwrapped, List.of(path, small)).run(DifferentialReads.count(2_000, 20_000));
        }
    }

    @Test
    void whatIsPassedThroughDiffers()
            throws IOException
    {
        try (FileSystem fileSystem = open("classic"); FileSystem unwrapped = store.unwrapped()) {
            assertThat(fileSystem.getUri()).isEqualTo(unwrapped.getUri());
            assertThat(fileSystem.getFileStatus(path)).isEqualTo(unwrapped.getFileStatus(path));
            assertThat(fileSystem.getFileChecksum(path)).isEqualTo(unwrapped.getFileChecksum(path));
            assertThat(fileSystem.getContentSummary(path).getLength()).isEqualTo(LENGTH);
            for (String capability : List.of("fs.capability.etags.available", "fs.capability.multipart.uploader",
                    "fs.s3a.capability.magic.committer")) {
                assertThat(fileSystem.hasPathCapability(path, capability)).as(capability).isEqualTo(unwrapped.hasPathCapability(path, capability));
            }
        }
    }

    /** Hadoop's contract tests of these features skip themselves because S3A lacks them. */
    @Test
    void whatS3ALacksIsTheWrappers()
            throws IOException
    {
        try (FileSystem fileSystem = open("classic"); FileSystem unwrapped = store.unwrapped()) {
            for (FileSystem either : List.of(fileSystem, unwrapped)) {
                assertThatThrownBy(() -> either.append(path)).isInstanceOf(UnsupportedOperationException.class);
                assertThatThrownBy(() -> either.concat(path, new Path[] {path})).isInstanceOf(UnsupportedOperationException.class);
                assertThat(either.hasPathCapability(path, CommonPathCapabilities.ETAGS_PRESERVED_IN_RENAME)).isFalse();
                Path created = new Path(path.getParent(), UUID.randomUUID().toString());
                try (FSDataOutputStream writing = either.create(created)) {
                    assertThat(either.exists(created)).as("before it is closed").isFalse();
                    writing.write(1);
                }
                either.create(new Path(created, "below-a-file")).close();
            }
        }
    }

    /** S3A's committers, Hadoop's default for s3a, accept only S3AFileSystem; the documented configuration names another committer. */
    @Test
    void documentedConfigurationCannotWrite()
            throws Exception
    {
        Configuration configuration = documented();
        Path output = new Path(S3AStore.URI_OF_BUCKET + "output/" + UUID.randomUUID());
        TaskAttemptContext context = new TaskAttemptContextImpl(configuration, new TaskAttemptID());
        assertThat(PathOutputCommitterFactory.createCommitter(output, context)).isInstanceOf(FileOutputCommitter.class);

        try (FileSystem fileSystem = TestingFileSystems.open(S3AStore.URI_OF_BUCKET, configuration)) {
            Path written = new Path(output, "part");
            try (var stream = fileSystem.create(written)) {
                stream.write(bytes);
            }
            assertThat(readAll(fileSystem.open(written))).isEqualTo(bytes);
            LinkCounts before = store.link().counts();
            assertThat(readAll(fileSystem.open(written))).isEqualTo(bytes);
            assertThat(store.link().counts().minus(before).of(RequestKind.GET_DATA).requests()).isZero();
        }
    }

    /** Returns the core-site.xml of docs/cache-fs.md unchanged, except the directory, endpoint and keys. */
    private Configuration documented()
            throws IOException
    {
        String page = Files.readString(java.nio.file.Path.of("..", "..", "docs", "cache-fs.md"));
        int start = page.indexOf("<configuration>");
        String end = "</configuration>";
        String coreSite = page.substring(start, page.indexOf(end) + end.length());
        Configuration configuration = new Configuration();
        configuration.addResource(new ByteArrayInputStream(coreSite.getBytes(StandardCharsets.UTF_8)), "docs/cache-fs.md");
        assertThat(configuration.get("fs.s3a.impl")).isEqualTo(EyrieFileSystem.class.getName());
        Configuration ours = store.wrapped(TestingFileSystems.cacheDirectory("documented"), "classic");
        for (String name : List.of(EyrieKeys.DIRECTORIES, EyrieKeys.MIN_FREE_SPACE, "fs.s3a.endpoint", "fs.s3a.endpoint.region",
                "fs.s3a.path.style.access", "fs.s3a.access.key",
                "fs.s3a.secret.key")) {
            configuration.set(name, ours.get(name));
        }
        return configuration;
    }

    private FileSystem open(String stream)
            throws IOException
    {
        return TestingFileSystems.open(S3AStore.URI_OF_BUCKET, store.wrapped(TestingFileSystems.cacheDirectory("s3a"), stream));
    }

    private LocatedFileStatus listed(FileSystem fileSystem)
            throws IOException
    {
        RemoteIterator<LocatedFileStatus> files = fileSystem.listFiles(path.getParent(), false);
        while (files.hasNext()) {
            LocatedFileStatus file = files.next();
            if (file.getPath().equals(path)) {
                return file;
            }
        }
        throw new AssertionError("not listed: " + path);
    }

    private void put()
    {
        put(LENGTH);
    }

    private void put(int length)
    {
        bytes = random(length);
        store.server().client().put(S3AStore.BUCKET, key, bytes);
    }

    private static byte[] readAll(FSDataInputStream stream)
            throws IOException
    {
        try (stream) {
            return stream.readAllBytes();
        }
    }

    private static byte[] random(int length)
    {
        byte[] bytes = new byte[length];
        new Random().nextBytes(bytes);
        return bytes;
    }
}
