// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fs;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BulkDelete;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.Options.OpenFileOptions;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.util.functional.FutureIO;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import javax.management.MBeanFeatureInfo;
import javax.management.ObjectName;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.security.PrivilegedExceptionAction;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class EyrieFileSystemTest
{
    private static final int PAGE = 64 << 10;

    private final java.nio.file.Path directory;
    private final java.nio.file.Path caches;
    private final java.nio.file.Path file;
    private final Path path;
    private byte[] bytes;

    EyrieFileSystemTest(@TempDir java.nio.file.Path directory)
            throws IOException
    {
        this.directory = directory;
        caches = Files.createDirectory(directory.resolve("caches"));
        file = directory.resolve("file");
        path = new Path(file.toUri());
        bytes = random(5 * PAGE + 100);
        Files.write(file, bytes);
        age(file);
    }

    @AfterEach
    void closeCaches()
    {
        ProcessCaches.closeAll();
    }

    @Test
    void warmReadAsksTheStoreForNoBytes()
            throws IOException
    {
        try (EyrieFileSystem fileSystem = open()) {
            assertThat(readAll(fileSystem.open(path))).isEqualTo(bytes);
            int opens = store(fileSystem).opens.get();
            assertThat(opens).isPositive();

            assertThat(readAll(fileSystem.open(path))).isEqualTo(bytes);
            assertThat(store(fileSystem).opens.get()).isEqualTo(opens);
        }
    }

    @Test
    void nextReaderOpensTheFileAgain()
            throws IOException
    {
        try (EyrieFileSystem fileSystem = open()) {
            for (int page = 0; page < 5; page++) {
                try (FSDataInputStream stream = fileSystem.open(path)) {
                    stream.readFully((long) page * PAGE, new byte[100]);
                }
            }
            assertThat(store(fileSystem).opens.get()).isEqualTo(1);
        }
    }

    @Test
    void openFileGoesAroundTheCache()
            throws Exception
    {
        try (EyrieFileSystem fileSystem = open()) {
            try (FSDataInputStream stream = fileSystem.openFile(path).build().get()) {
                assertThat(stream.getWrappedStream()).isInstanceOf(CachedInputStream.class);
            }
        }
    }

    @Test
    void cacheSurvivesFileSystemAndProcess()
            throws IOException
    {
        try (EyrieFileSystem fileSystem = open()) {
            readAll(fileSystem.open(path));
        }
        ProcessCaches.closeAll();
        try (EyrieFileSystem fileSystem = open()) {
            assertThat(readAll(fileSystem.open(path))).isEqualTo(bytes);
            assertThat(store(fileSystem).opens.get()).isZero();
        }
    }

    @Test
    void streamIsReadAfterItsFileSystemIsClosed()
            throws IOException
    {
        EyrieFileSystem fileSystem = open();
        FSDataInputStream stream = fileSystem.open(path);
        fileSystem.close();
        assertThat(readAll(stream)).isEqualTo(bytes);
    }

    @Test
    void statusGivenIsAskedForAgain()
            throws Exception
    {
        for (boolean etags : new boolean[] {false, true}) {
            Configuration configuration = configuration();
            configuration.setBoolean(StoreFileSystem.ETAGS, etags);
            try (EyrieFileSystem fileSystem = TestingFileSystems.open(TestingFileSystems.LOCAL, configuration)) {
                FileStatus status = fileSystem.getFileStatus(path);
                readAll(fileSystem.openFile(path).withFileStatus(status).build().get());
                int asked = store(fileSystem).statusRequests.get();

                assertThat(readAll(fileSystem.openFile(path).withFileStatus(status).build().get())).isEqualTo(bytes);
                assertThat(store(fileSystem).statusRequests.get()).as("etags %s", etags).isEqualTo(asked);
            }
        }
    }

    @Test
    void plainStatusTakesTheEtagThatWasSeen()
            throws Exception
    {
        try (EyrieFileSystem fileSystem = openWithEtags()) {
            FileStatus status = fileSystem.getFileStatus(path);
            FileStatus plain = new FileStatus(status.getLen(), false, 1, 1, status.getModificationTime() + 1, new Path("other:/place/file"));
            readAll(fileSystem.open(path));
            int asked = store(fileSystem).statusRequests.get();
            int opens = store(fileSystem).opens.get();

            assertThat(readAll(fileSystem.openFile(path).withFileStatus(plain).build().get())).isEqualTo(bytes);
            assertThat(store(fileSystem).statusRequests.get()).isEqualTo(asked);
            assertThat(store(fileSystem).opens.get()).isEqualTo(opens);
        }
    }

    @Test
    void plainStatusOfAnotherSecondIsServedFromTheCache()
            throws Exception
    {
        try (EyrieFileSystem fileSystem = openWithEtags()) {
            FileStatus status = fileSystem.getFileStatus(path);
            FileStatus other = new FileStatus(status.getLen(), false, 1, 1, status.getModificationTime() + 5_000, path);
            try (FSDataInputStream stream = fileSystem.openFile(path).withFileStatus(other).build().get()) {
                assertThat(stream.getWrappedStream()).isNotInstanceOf(CachedInputStream.class);
            }
        }
    }

    /** Spark passes such a status when it reads the schema of Parquet files. */
    @Test
    void statusWithoutTimeIsReadUncached()
            throws Exception
    {
        for (boolean etags : new boolean[] {false, true}) {
            try (EyrieFileSystem fileSystem = etags ? openWithEtags() : open()) {
                readAll(fileSystem.open(path));
                int asked = store(fileSystem).statusRequests.get();
                FileStatus timeless = new FileStatus(bytes.length, false, 0, 0, 0, path);
                try (FSDataInputStream stream = fileSystem.openFile(path).withFileStatus(timeless).build().get()) {
                    assertThat(stream.getWrappedStream()).isInstanceOf(CachedInputStream.class);
                }
                assertThat(store(fileSystem).statusRequests.get()).as("etags %s", etags).isEqualTo(asked);
                FileStatus other = new FileStatus(bytes.length - 1, false, 0, 0, 0, path);
                try (FSDataInputStream stream = fileSystem.openFile(path).withFileStatus(other).build().get()) {
                    assertThat(stream.getWrappedStream()).isNotInstanceOf(CachedInputStream.class);
                }
            }
        }
    }

    @Test
    void lengthGivenIsAskedForAgain()
            throws Exception
    {
        try (EyrieFileSystem fileSystem = open()) {
            readAll(fileSystem.open(path));
            int asked = store(fileSystem).statusRequests.get();

            assertThat(readAll(openWithLength(fileSystem, bytes.length))).isEqualTo(bytes);
            assertThat(store(fileSystem).statusRequests.get()).isEqualTo(asked);
        }
    }

    @Test
    void lengthThatIsNotTheFilesIsCached()
            throws Exception
    {
        try (EyrieFileSystem fileSystem = open(); FSDataInputStream stream = openWithLength(fileSystem, bytes.length - 1)) {
            assertThat(stream.getWrappedStream()).isNotInstanceOf(CachedInputStream.class);
        }
    }

    @Test
    void lengthCountsLongerThanItMay()
            throws Exception
    {
        Configuration configuration = configuration();
        configuration.set(EyrieKeys.LENGTH_TTL, "0s");
        try (EyrieFileSystem fileSystem = TestingFileSystems.open(TestingFileSystems.LOCAL, configuration)) {
            readAll(fileSystem.open(path));
            overwrite();
            assertThat(readAll(openWithLength(fileSystem, bytes.length))).isEqualTo(bytes);
        }
    }

    @Test
    void statusCountsWithoutBeingToldTo()
            throws IOException
    {
        try (EyrieFileSystem fileSystem = openWithEtags()) {
            readAll(fileSystem.open(path));
            overwrite();
            assertThat(readAll(fileSystem.open(path))).isEqualTo(bytes);
        }
    }

    @Test
    void freshStatusIsAskedForAgain()
            throws IOException
    {
        Configuration configuration = configuration();
        configuration.set(EyrieKeys.STATUS_TTL, "1h");
        try (EyrieFileSystem fileSystem = TestingFileSystems.open(TestingFileSystems.LOCAL, configuration)) {
            readAll(fileSystem.open(path));
            int asked = store(fileSystem).statusRequests.get();
            readAll(fileSystem.open(path));
            assertThat(store(fileSystem).statusRequests.get()).isEqualTo(asked);

            Path other = new Path(directory.resolve("other").toUri());
            fileSystem.rename(path, other);
            assertThatThrownBy(() -> fileSystem.open(path)).isInstanceOf(FileNotFoundException.class);
            fileSystem.create(path, true).close();
            assertThat(readAll(fileSystem.open(path))).isEmpty();
            fileSystem.delete(directory(), true);
            assertThatThrownBy(() -> fileSystem.open(other)).isInstanceOf(FileNotFoundException.class);
        }
    }

    /** Detects the invalidation by writing exactly the same version again: none of its pages may still be cached. */
    @Test
    void changedFilesKeepTheirPages()
            throws IOException
    {
        java.nio.file.Path local = directory.resolve("folder/file");
        Path changed = new Path(local.toUri());
        Path folder = changed.getParent();
        FileTime modified = Files.getLastModifiedTime(file);
        for (Change change : List.<Change>of(
                fileSystem -> fileSystem.delete(changed, false),
                fileSystem -> fileSystem.create(changed, true).close(),
                fileSystem -> fileSystem.createFile(changed).overwrite(true).build().close(),
                fileSystem -> fileSystem.append(changed).close(),
                fileSystem -> fileSystem.truncate(changed, 1),
                fileSystem -> fileSystem.concat(changed, new Path[] {new Path(Files.createFile(directory.resolve("empty")).toUri())}),
                fileSystem -> {
                    try (BulkDelete delete = fileSystem.createBulkDelete(folder)) {
                        assertThat(delete.bulkDelete(List.of(changed))).isEmpty();
                    }
                },
                fileSystem -> fileSystem.rename(changed, new Path(directory.resolve("moved").toUri())),
                fileSystem -> fileSystem.rename(folder, folder.suffix("-moved")))) {
            write(local, modified);
            try (EyrieFileSystem fileSystem = open()) {
                readAll(fileSystem.open(changed));
                int opens = store(fileSystem).opens.get();
                readAll(fileSystem.open(changed));
                assertThat(store(fileSystem).opens.get()).isEqualTo(opens);

                change.on(fileSystem);
                write(local, modified);
                assertThat(readAll(fileSystem.open(changed))).isEqualTo(bytes);
                assertThat(store(fileSystem).opens.get()).isGreaterThan(opens);
            }
        }
    }

    @Test
    void closedFileSystemStaysInHadoopsCache()
            throws IOException
    {
        Configuration configuration = configuration();
        FileSystem first = FileSystem.get(TestingFileSystems.LOCAL, configuration);
        assertThat(first).isInstanceOf(EyrieFileSystem.class).isSameAs(path.getFileSystem(configuration));
        first.close();
        assertThat(store((EyrieFileSystem) first).closes.get()).isEqualTo(1);
        try (FileSystem second = FileSystem.get(TestingFileSystems.LOCAL, configuration)) {
            assertThat(second).isNotSameAs(first);
            assertThat(readAll(second.open(path))).isEqualTo(bytes);
        }
    }

    /**
     * Some of Hadoop's contract tests skip themselves for these reasons: raw local files are deleted one by one, and concat puts the sources in the
     * target's place.
     */
    @Test
    void whatRawLocalFilesLackIsTheWrappers()
            throws IOException
    {
        try (EyrieFileSystem fileSystem = open()) {
            for (FileSystem either : List.of(fileSystem, store(fileSystem))) {
                assertThat(either.createBulkDelete(directory()).pageSize()).isEqualTo(1);
                Path target = new Path(Files.write(directory.resolve("target"), random(100)).toUri());
                either.concat(target, new Path[] {new Path(Files.write(directory.resolve("source"), random(10)).toUri())});
                assertThat(either.getFileStatus(target).getLen()).isEqualTo(10);
            }
        }
    }

    private void write(java.nio.file.Path local, FileTime modified)
            throws IOException
    {
        Files.createDirectories(local.getParent());
        Files.write(local, bytes);
        Files.setLastModifiedTime(local, modified);
    }

    private interface Change
    {
        void on(FileSystem fileSystem)
                throws IOException;
    }

    @Test
    void listingAndStatusGiveTwoVersions()
            throws Exception
    {
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(60).truncatedTo(ChronoUnit.SECONDS).plusMillis(789)));
        try (EyrieFileSystem fileSystem = openWithEtags()) {
            FileStatus listed = Arrays.stream(fileSystem.listStatus(directory())).filter(FileStatus::isFile).findFirst().orElseThrow();
            assertThat(listed.getModificationTime() % 1000).isEqualTo(789);
            readAll(fileSystem.openFile(path).withFileStatus(listed).build().get());
            int opens = store(fileSystem).opens.get();
            assertThat(readAll(fileSystem.open(path))).isEqualTo(bytes);
            assertThat(store(fileSystem).opens.get()).isEqualTo(opens);
        }
    }

    @Test
    void overwrittenFileIsMixed()
            throws IOException
    {
        for (boolean etags : new boolean[] {false, true}) {
            byte[] first = bytes;
            try (EyrieFileSystem fileSystem = etags ? openWithEtags() : open(); FSDataInputStream stream = fileSystem.open(path)) {
                stream.readFully(0, new byte[100]);
                overwrite();
                byte[] cached = new byte[100];
                stream.readFully(0, cached);
                assertThat(cached).isEqualTo(Arrays.copyOf(first, 100));
                assertThatThrownBy(() -> stream.readFully(4 * PAGE, new byte[100]))
                        .isInstanceOf(FileChangedException.class)
                        .hasMessageContaining(path.toUri().getPath())
                        .hasMessageContaining("changed after it was opened");

                assertThat(readAll(fileSystem.open(path))).as("etags %s", etags).isEqualTo(bytes);
            }
        }
    }

    @Test
    void deletedFileIsServed()
            throws IOException
    {
        try (EyrieFileSystem fileSystem = open(); FSDataInputStream stream = fileSystem.open(path)) {
            stream.readFully(0, new byte[100]);
            Files.delete(file);
            assertThatThrownBy(() -> stream.readFully(4 * PAGE, new byte[100])).isInstanceOf(FileNotFoundException.class);
        }
    }

    @Test
    void youngFileWithoutEtagIsCached()
            throws IOException
    {
        Configuration configuration = configuration();
        configuration.unset(EyrieKeys.MIN_FILE_AGE);
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().plusSeconds(60)));
        try (EyrieFileSystem fileSystem = TestingFileSystems.open(TestingFileSystems.LOCAL, configuration);
                FSDataInputStream stream = fileSystem.open(path)) {
            assertThat(stream.getWrappedStream()).isNotInstanceOf(CachedInputStream.class);
        }
    }

    @Test
    void userWhoseRightWasRevokedIsNotServed()
            throws IOException
    {
        Configuration configuration = configuration();
        configuration.set(EyrieKeys.ACCESS_CHECK_INTERVAL, "0");
        try (EyrieFileSystem fileSystem = TestingFileSystems.open(TestingFileSystems.LOCAL, configuration)) {
            StoreFileSystem store = store(fileSystem);
            FileStatus status = fileSystem.getFileStatus(path);
            assertThat(readAll(fileSystem.open(path))).isEqualTo(bytes);
            store.revoked = true;
            assertThatThrownBy(() -> fileSystem.open(path)).isInstanceOf(AccessControlException.class);
            assertThatThrownBy(() -> FutureIO.awaitFuture(fileSystem.openFile(path).withFileStatus(status).build())).isInstanceOf(
                    AccessControlException.class);
        }
        try (EyrieFileSystem fileSystem = open()) {
            for (int i = 0; i < 3; i++) {
                readAll(fileSystem.open(path));
            }
            assertThat(store(fileSystem).accessRequests).as("within the interval").hasValue(1);
        }
    }

    @Test
    void anotherUserIsServedWhatOneMayRead()
            throws Exception
    {
        try (EyrieFileSystem mine = open()) {
            readAll(mine.open(path));
        }
        UserGroupInformation other = UserGroupInformation.createRemoteUser("somebody-else");
        int opens = other.doAs((PrivilegedExceptionAction<Integer>) () -> {
            try (EyrieFileSystem theirs = open()) {
                readAll(theirs.open(path));
                return store(theirs).opens.get();
            }
        });
        assertThat(opens).isPositive();
    }

    @Test
    void processesShareFolders()
            throws IOException
    {
        Configuration configuration = configuration();
        configuration.set(EyrieKeys.MAX_PROCESSES, "2");
        try (FileChannel first = FileChannel.open(caches.resolve("0.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            assertThat(first.tryLock()).isNotNull();
            try (EyrieFileSystem fileSystem = TestingFileSystems.open(TestingFileSystems.LOCAL, configuration)) {
                assertThat(readAll(fileSystem.open(path))).isEqualTo(bytes);
            }
            assertThat(caches.resolve("0")).doesNotExist();
            assertThat(caches.resolve("1")).isDirectory();
        }
    }

    @Test
    void oneProcessTooManyFails()
            throws IOException
    {
        Configuration configuration = configuration();
        configuration.set(EyrieKeys.MAX_PROCESSES, "1");
        try (FileChannel first = FileChannel.open(caches.resolve("0.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            assertThat(first.tryLock()).isNotNull();
            try (EyrieFileSystem fileSystem = TestingFileSystems.open(TestingFileSystems.LOCAL, configuration)) {
                assertThat(readAll(fileSystem.open(path))).isEqualTo(bytes);
            }
            assertThat(caches.resolve("1")).doesNotExist();
        }
    }

    @Test
    void disabledCacheNeedsDirectories()
            throws IOException
    {
        Configuration configuration = configuration();
        configuration.set(EyrieKeys.ENABLED, "false");
        configuration.unset(EyrieKeys.DIRECTORIES);
        try (EyrieFileSystem fileSystem = TestingFileSystems.open(TestingFileSystems.LOCAL, configuration);
                FSDataInputStream stream = fileSystem.open(path)) {
            assertThat(stream.getWrappedStream()).isNotInstanceOf(CachedInputStream.class);
        }
    }

    @Test
    void optionThatMustBeHeededIsDropped()
            throws IOException
    {
        try (EyrieFileSystem fileSystem = open()) {
            assertThatThrownBy(() -> fileSystem.openFile(path).must("fs.unknown.option", "1").build()).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void delegationTokensAreLost()
            throws IOException
    {
        try (EyrieFileSystem fileSystem = open()) {
            assertThat(fileSystem.getCanonicalServiceName()).isEqualTo("testing-store");
            Token<?> token = fileSystem.getDelegationToken("renewer");
            assertThat(token).isNotNull();
            assertThat(token.getService()).hasToString("testing-store");
            assertThat(fileSystem.addDelegationTokens("renewer", new Credentials())).hasSize(1);
        }
    }

    @Test
    void bytesAreCountedTwice()
            throws IOException
    {
        try (EyrieFileSystem fileSystem = open()) {
            for (int pass = 0; pass < 2; pass++) {
                long before = bytesRead();
                long beforeOnThread = bytesReadOnThread();
                FSDataInputStream stream = fileSystem.open(path);
                readAll(stream);
                assertThat(bytesRead() - before).as("pass %s", pass).isEqualTo(bytes.length);
                assertThat(bytesReadOnThread() - beforeOnThread).as("pass %s", pass).isEqualTo(bytes.length);
            }
        }
    }

    @Test
    void statisticsDoNotSayWhereBytesCameFrom()
            throws IOException
    {
        try (EyrieFileSystem fileSystem = open()) {
            FSDataInputStream cold = fileSystem.open(path);
            IOStatistics statistics = cold.getIOStatistics();
            readAll(cold);
            assertThat(statistics.counters().get(StreamCounters.REMOTE_READ_BYTES)).isEqualTo(bytes.length);
            FSDataInputStream warm = fileSystem.open(path);
            statistics = warm.getIOStatistics();
            readAll(warm);
            assertThat(statistics.counters().get(StreamCounters.REMOTE_READS)).isZero();
            assertThat(statistics.counters().get(StreamCounters.CACHE_READ_BYTES)).isEqualTo(bytes.length);
        }
    }

    @Test
    void countersAreNoMBean()
            throws Exception
    {
        try (EyrieFileSystem fileSystem = open()) {
            readAll(fileSystem.open(path));
            ObjectName name = new ObjectName("io.eyrie:type=PageCache,name=" + ObjectName.quote(caches.toString()));
            assertThat((long) ManagementFactory.getPlatformMBeanServer().getAttribute(name, "misses")).isPositive();
            assertThat(ManagementFactory.getPlatformMBeanServer().getMBeanInfo(name).getAttributes())
                    .extracting(MBeanFeatureInfo::getName)
                    .hasSize(40)
                    .contains("lookups", "remoteReads", "writes", "evictions", "currentFetchBytes");
        }
    }

    @Test
    void streamLacksCapabilities()
            throws IOException
    {
        try (EyrieFileSystem fileSystem = open(); FSDataInputStream stream = fileSystem.open(path)) {
            for (String capability : Set.of(
                    StreamCapabilities.READBYTEBUFFER, StreamCapabilities.PREADBYTEBUFFER, StreamCapabilities.VECTOREDIO, StreamCapabilities.UNBUFFER,
                    StreamCapabilities.READAHEAD, StreamCapabilities.IOSTATISTICS)) {
                assertThat(stream.hasCapability(capability)).as(capability).isTrue();
            }
            assertThat(stream.hasCapability(StreamCapabilities.HSYNC)).isFalse();
            stream.setReadahead(1L << 20);
            stream.setDropBehind(true);
            assertThat(stream.available()).isEqualTo(bytes.length);
            assertThat(stream.skip(10)).isEqualTo(10);
            assertThat(stream.getPos()).isEqualTo(10);
        }
    }

    /** A method that a new Hadoop adds, or that its filter leaves to a default, must be reviewed before it passes here. */
    @Test
    void methodIsNotHandedOn()
    {
        Set<String> left = new TreeSet<>();
        for (Method method : FileSystem.class.getDeclaredMethods()) {
            int modifiers = method.getModifiers();
            if (Modifier.isStatic(modifiers) || Modifier.isFinal(modifiers) || method.isSynthetic()
                    || !(Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers))) {
                continue;
            }
            if (!isDeclared(method, EyrieFileSystem.class) && !isDeclared(method, PassThroughFileSystem.class) && !isDeclared(method,
                    FilterFileSystem.class)) {
                left.add(method.getName());
            }
        }
        assertThat(left).containsExactly(
                // most are implemented with others of the same name, with defaults for missing arguments
                "append", "cancelDeleteOnExit", "copyFromLocalFile", "copyToLocalFile", "create", "createNewFile", "createNonRecursive", "delete",
                // the wrapper's own list, and its own deletions
                "deleteOnExit", "fixRelativePart",
                // the filter's children
                "getAdditionalTokenIssuers", "getBlockSize",
                // a part of the canonical URI, which is passed through
                "getDefaultPort", "getFileBlockLocations", "getLength", "getName", "getReplication", "getStatus", "listStatus",
                // protected and inaccessible here; the default uses listStatus
                "listStatusBatch", "moveFromLocalFile", "moveToLocalFile", "open", "primitiveMkdir", "processDeleteOnExit");
    }

    private static boolean isDeclared(Method method, Class<?> type)
    {
        return Arrays.stream(type.getDeclaredMethods())
                .anyMatch(declared -> declared.getName().equals(method.getName()) && Arrays.equals(declared.getParameterTypes(), method
                        .getParameterTypes()));
    }

    private EyrieFileSystem open()
            throws IOException
    {
        return TestingFileSystems.open(TestingFileSystems.LOCAL, configuration());
    }

    private EyrieFileSystem openWithEtags()
            throws IOException
    {
        Configuration configuration = configuration();
        configuration.setBoolean(StoreFileSystem.ETAGS, true);
        return TestingFileSystems.open(TestingFileSystems.LOCAL, configuration);
    }

    private Configuration configuration()
    {
        return TestingFileSystems.local(caches, StoreFileSystem.class);
    }

    private static StoreFileSystem store(EyrieFileSystem fileSystem)
    {
        return (StoreFileSystem) fileSystem.getRawFileSystem();
    }

    private Path directory()
    {
        return new Path(directory.toUri());
    }

    private FSDataInputStream openWithLength(EyrieFileSystem fileSystem, long length)
            throws Exception
    {
        return fileSystem.openFile(path).opt(OpenFileOptions.FS_OPTION_OPENFILE_LENGTH, Long.toString(length)).build().get(10, TimeUnit.SECONDS);
    }

    private static byte[] readAll(FSDataInputStream stream)
            throws IOException
    {
        try (stream) {
            return stream.readAllBytes();
        }
    }

    /** Overwrites the file in place with the same length. The time advances, as it must on a file system without ETags. */
    private void overwrite()
            throws IOException
    {
        bytes = random(bytes.length);
        FileTime before = Files.getLastModifiedTime(file);
        Files.write(file, bytes);
        Files.setLastModifiedTime(file, FileTime.from(before.toInstant().plusMillis(1)));
    }

    private static void age(java.nio.file.Path file)
            throws IOException
    {
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(60).truncatedTo(ChronoUnit.SECONDS)));
    }

    private static byte[] random(int length)
    {
        byte[] bytes = new byte[length];
        new Random().nextBytes(bytes);
        return bytes;
    }

    private static long bytesRead()
    {
        return statistics().getBytesRead();
    }

    private static long bytesReadOnThread()
    {
        return statistics().getThreadStatistics().getBytesRead();
    }

    @SuppressWarnings("deprecation") // Spark uses these
    private static FileSystem.Statistics statistics()
    {
        return FileSystem.getStatistics("file", StoreFileSystem.class);
    }
}
