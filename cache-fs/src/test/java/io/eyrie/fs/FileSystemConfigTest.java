// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fs;

import io.eyrie.cache.config.ConfigException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class FileSystemConfigTest
{
    private final Path directory;

    FileSystemConfigTest(@TempDir Path directory)
    {
        this.directory = directory;
    }

    @AfterEach
    void closeCaches()
    {
        ProcessCaches.closeAll();
    }

    @Test
    void defaults()
    {
        Configuration configuration = new Configuration(false);
        configuration.set(EyrieKeys.DIRECTORIES, "/ssd/one, /ssd/two");
        configuration.set("fs.eyrie.hdfs.impl", RawLocalFileSystem.class.getName());
        FileSystemConfig config = FileSystemConfig.of(configuration, "hdfs");
        assertThat(config.implementation()).isEqualTo(RawLocalFileSystem.class);
        assertThat(config.enabled()).isTrue();
        assertThat(config.cache().baseDirectories()).containsExactly(Path.of("/ssd/one"), Path.of("/ssd/two"));
        assertThat(config.cache().capacityBytes()).isEqualTo(2L << 30);
        assertThat(config.cache().pageSizeBytes()).isEqualTo(1 << 20);
        assertThat(config.maxProcesses()).isEqualTo(8);
        assertThat(config.statusTtlMillis()).isZero();
        assertThat(config.lengthTtlMillis()).isEqualTo(10_000);
        assertThat(config.minFileAgeMillis()).isEqualTo(2_000);
        assertThat(config.maxIdleHandles()).isEqualTo(200);
        assertThat(config.handleIdleMillis()).isEqualTo(60_000);
        assertThat(config.accessCheckMillis()).isEqualTo(60_000);
    }

    @Test
    void everyPropertyIsRead()
    {
        Configuration configuration = valid();
        configuration.set(EyrieKeys.ENABLED, "false");
        configuration.set(EyrieKeys.CAPACITY, "3g");
        configuration.set(EyrieKeys.PAGE_SIZE, "128k");
        configuration.set(EyrieKeys.MIN_FREE_SPACE, "5m");
        configuration.set(EyrieKeys.WRITE_BUFFER, "64m");
        configuration.set(EyrieKeys.FETCH_THREADS, "7");
        configuration.set(EyrieKeys.MAX_PROCESSES, "3");
        configuration.set(EyrieKeys.STATUS_TTL, "1m");
        configuration.set(EyrieKeys.LENGTH_TTL, "2s");
        configuration.set(EyrieKeys.MIN_FILE_AGE, "4ms");
        configuration.set(EyrieKeys.MAX_IDLE_HANDLES, "0");
        configuration.set(EyrieKeys.HANDLE_IDLE_TIME, "5s");
        configuration.set(EyrieKeys.ACCESS_CHECK_INTERVAL, "7s");
        FileSystemConfig config = FileSystemConfig.of(configuration, "file");
        assertThat(config.enabled()).isFalse();
        assertThat(config.cache().capacityBytes()).isEqualTo(3L << 30);
        assertThat(config.cache().pageSizeBytes()).isEqualTo(128 << 10);
        assertThat(config.cache().minFreeSpaceBytes()).isEqualTo(5 << 20);
        assertThat(config.cache().writeBufferBytes()).isEqualTo(64 << 20);
        assertThat(config.cache().fetchThreads()).isEqualTo(7);
        assertThat(config.maxProcesses()).isEqualTo(3);
        assertThat(config.statusTtlMillis()).isEqualTo(60_000);
        assertThat(config.lengthTtlMillis()).isEqualTo(2_000);
        assertThat(config.minFileAgeMillis()).isEqualTo(4);
        assertThat(config.maxIdleHandles()).isZero();
        assertThat(config.handleIdleMillis()).isEqualTo(5_000);
        assertThat(config.accessCheckMillis()).isEqualTo(7_000);
    }

    @ParameterizedTest
    @CsvSource({
            "fs.eyrie.enabled, yes, true or false",
            "fs.eyrie.cache.directories, '', at least one directory",
            "fs.eyrie.cache.capacity, much, a number of bytes",
            "fs.eyrie.cache.capacity, 1k, one page",
            "fs.eyrie.cache.page-size, 100k, a power of two",
            "fs.eyrie.cache.page-size, 8g, a power of two",
            "fs.eyrie.cache.min-free-space, -1, it must be at least 0B",
            "fs.eyrie.cache.write-buffer, 1k, one fetch",
            "fs.eyrie.cache.fetch-threads, none, a whole number",
            "fs.eyrie.cache.fetch-threads, 0, it must be from 1",
            "fs.eyrie.cache.max-processes, 0, from 1 to 1024",
            "fs.eyrie.status-ttl, soon, it must be a time",
            "fs.eyrie.length-ttl, -1s, not be negative",
            "fs.eyrie.min-file-age, x, it must be a time",
            "fs.eyrie.file.impl, '', the real file system of file://",
            "fs.eyrie.file.impl, no.such.Class, no such class",
            "fs.eyrie.file.impl, java.lang.String, it must be a org.apache.hadoop.fs.FileSystem",
            "fs.eyrie.file.impl, io.eyrie.fs.EyrieFileSystem, other than io.eyrie.fs.EyrieFileSystem",
    })
    void badValueStartsUp(String key, String value, String allowed)
    {
        Configuration configuration = valid();
        configuration.set(key, value);
        assertThatThrownBy(() -> FileSystemConfig.of(configuration, "file"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(key)
                .hasMessageContaining(allowed)
                .hasMessageContaining("To fix: ");
    }

    @Test
    void missingDirectoriesAreToldInCoreTerms()
    {
        Configuration configuration = TestingFileSystems.local(directory.resolve("missing"), RawLocalFileSystem.class);
        assertThatThrownBy(() -> FileSystem.newInstance(TestingFileSystems.LOCAL, configuration))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(EyrieKeys.DIRECTORIES)
                .hasMessageContaining("missing");
    }

    @Test
    void twoSettingsOfOneDirectoryAreTwoCaches()
            throws IOException
    {
        Configuration configuration = TestingFileSystems.local(directory, RawLocalFileSystem.class);
        try (FileSystem first = FileSystem.newInstance(TestingFileSystems.LOCAL, configuration)) {
            assertThat(first).isInstanceOf(EyrieFileSystem.class);
            configuration.set(EyrieKeys.CAPACITY, "99m");
            assertThatThrownBy(() -> FileSystem.newInstance(TestingFileSystems.LOCAL, configuration))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining(EyrieKeys.CAPACITY);
        }
    }

    @Test
    void directoriesAsUris()
    {
        Configuration configuration = valid();
        configuration.set(EyrieKeys.DIRECTORIES, "file:///ssd/one,file:/ssd/with%20space,/ssd/../three");
        assertThat(FileSystemConfig.of(configuration, "file").cache().baseDirectories())
                .containsExactly(Path.of("/ssd/one"), Path.of("/ssd/with space"), Path.of("/three"));
    }

    /* Without the check, these are directories of their defaults, or are relative to the working directory of the process. */
    @ParameterizedTest
    @CsvSource({
            "ssd/one, it must be absolute",
            "./ssd, it must be absolute",
            "file:ssd, a path on this machine",
            "file://ssd/one, a path on this machine",
            "s3a://bucket/one, it must be absolute",
    })
    void directoryThatIsRelativeOrRemote(String value, String allowed)
    {
        Configuration configuration = valid();
        configuration.set(EyrieKeys.DIRECTORIES, "/ssd/one," + value);
        assertThatThrownBy(() -> FileSystemConfig.of(configuration, "file"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(EyrieKeys.DIRECTORIES + " is " + value + ",")
                .hasMessageContaining(allowed)
                .hasMessageContaining("file:///ssd1/eyrie");
    }

    @ParameterizedTest
    @CsvSource({
            "fs.eyrie.cache.capasity, write fs.eyrie.cache.capacity",
            "fs.eyrie.cache.pagesize, write fs.eyrie.cache.page-size",
            "fs.eyrie.file.implementation, remove it",
            "fs.eyrie.file.imp, write fs.eyrie.file.impl",
            "fs.eyrie.nonsense, remove it",
    })
    void misspelledNameIsIgnored(String key, String fix)
    {
        Configuration configuration = valid();
        configuration.set(key, "3g");
        assertThatThrownBy(() -> FileSystemConfig.of(configuration, "file"))
                .isInstanceOf(ConfigException.class)
                .hasMessage(key + " is 3g, but there is no property of this name. To fix: " + fix + ".");
    }

    @Test
    void propertiesOfAnotherSchemeAreNotMisspelled()
    {
        Configuration configuration = valid();
        configuration.set("fs.eyrie.s3a.impl", "org.example.Absent");
        assertThat(FileSystemConfig.of(configuration, "file").implementation()).isEqualTo(RawLocalFileSystem.class);
    }

    private Configuration valid()
    {
        return TestingFileSystems.local(directory, RawLocalFileSystem.class);
    }
}
