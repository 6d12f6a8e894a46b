// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fs;

import io.eyrie.cache.config.ConfigException;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.page.PageCache;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Tests the ownership of the folders of a cache directory, between several processes and between several class loaders of one process. */
class ProcessCachesTest
{
    private final java.nio.file.Path root;
    private final java.nio.file.Path caches;
    private final java.nio.file.Path file;

    ProcessCachesTest(@TempDir java.nio.file.Path root)
    {
        this.root = root;
        caches = root.resolve("caches");
        file = root.resolve("file");
    }

    @BeforeEach
    void create()
            throws IOException
    {
        Files.createDirectory(caches);
        Files.writeString(file, "content");
    }

    @AfterEach
    void closeCaches()
    {
        ProcessCaches.closeAll();
    }

    private void read()
            throws IOException
    {
        LoaderWork.read(caches.toString(), file.toString());
    }

    /* As if another thread, which holds the lock of the class, waited for the disk. */
    @Test
    @SuppressWarnings("LockOnNonEnclosingClassLiteral")
    void diskThatDoesNotAnswerHangsNoProcess()
            throws InterruptedException
    {
        Thread late;
        PageCacheConfig config = PageCacheConfig.builder().baseDirectories(List.of(caches)).capacityBytes(64 << 20).minFreeSpaceBytes(0).build();
        synchronized (ProcessCaches.class) {
            assertThat(ProcessCaches.open(config, 1, 200)).isEmpty();
            long begin = System.nanoTime();
            assertThat(ProcessCaches.open(config, 1, 10_000)).as("the next file system").isEmpty();
            assertThat(System.nanoTime() - begin).as("nanoseconds").isLessThan(5_000_000_000L);
            List<Thread> threads = Thread.getAllStackTraces().keySet().stream().filter(thread -> thread.getName().equals("eyrie-cache-open"))
                    .toList();
            assertThat(threads).hasSize(1);
            late = threads.get(0);
        }
        late.join();
        try (PageCache cache = ProcessCaches.open(config, 1, 60_000).orElseThrow()) {
            assertThat(cache.stats().store().capacityBytes()).isEqualTo(64L << 20);
        }
        assertThatThrownBy(() -> ProcessCaches.open(config.toBuilder().baseDirectories(List.of(root.resolve("missing"))).build(), 1, 60_000))
                .isInstanceOf(
                        ConfigException.class);
    }

    @Test
    void anotherClassLoaderOfTheProcessTakesFoldersOfItsOwnAndLeavesTheLock()
            throws Exception
    {
        read();
        assertThat(isFree(caches.resolve("0.lock"))).isFalse();
        try (URLClassLoader loader = new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader())) {
            Class<?> loaded = loader.loadClass(LoaderWork.class.getName());
            assertThat(loaded).isNotSameAs(LoaderWork.class);
            readIn(loader, loaded);
            assertThat(caches.resolve("1")).isDirectory();
            assertThat(isFree(caches.resolve("0.lock"))).isFalse();
            assertThat(isFree(caches.resolve("1.lock"))).isFalse();
            loaded.getMethod("close").invoke(null);
        }
        assertThat(isFree(caches.resolve("0.lock"))).isFalse();
        assertThat(isFree(caches.resolve("1.lock"))).isTrue();
        ProcessCaches.closeAll();
        assertThat(isFree(caches.resolve("0.lock"))).isTrue();
    }

    private void readIn(ClassLoader loader, Class<?> loaded)
            throws ReflectiveOperationException
    {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        // Hadoop loads classes with it
        Thread.currentThread().setContextClassLoader(loader);
        try {
            loaded.getMethod("read", String.class, String.class).invoke(null, caches.toString(), file.toString());
        }
        finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    private static URL[] classPath()
            throws MalformedURLException
    {
        List<URL> urls = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            urls.add(new File(entry).toURI().toURL());
        }
        return urls.toArray(URL[]::new);
    }

    /** Returns whether another process can take a lock. */
    private static boolean isFree(java.nio.file.Path lock)
            throws IOException
    {
        Process process = new ProcessBuilder(
                java.nio.file.Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                LockProbe.class.getName(),
                lock.toString()).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        return Boolean.parseBoolean(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim());
    }

    @Test
    void lockOrFolderThatIsALinkIsRefused()
            throws IOException
    {
        java.nio.file.Path precious = Files.createDirectory(root.resolve("precious"));
        Files.writeString(precious.resolve("file"), "precious");
        java.nio.file.Path lock = Files.createSymbolicLink(caches.resolve("0.lock"), precious.resolve("file"));
        isRefused("0.lock is a symbolic link");
        Files.delete(lock);
        java.nio.file.Path folder = Files.createSymbolicLink(caches.resolve("0"), precious);
        isRefused("0 is a symbolic link");
        Files.delete(folder);
        assertThat(precious.resolve("file")).hasContent("precious");
        read();
        assertThat(caches.resolve("0")).isDirectory();
    }

    /* As on a full disk, on which no process has used this number before. */
    @Test
    void processWithoutAFolderReadsWithoutACache()
            throws IOException
    {
        Files.createFile(caches.resolve("0"));
        read();
        assertThat(isFree(caches.resolve("0.lock"))).as("the number is free").isTrue();
        Files.delete(caches.resolve("0"));
        read();
        assertThat(caches.resolve("0")).isDirectory();
    }

    @Test
    void directoryThatOthersMayWriteToIsRefused()
            throws IOException
    {
        Files.setAttribute(caches, "unix:mode", 0777);
        isRefused("every user may write to " + caches);
    }

    private void isRefused(String problem)
    {
        assertThatThrownBy(this::read).isInstanceOfSatisfying(ConfigException.class, e -> {
            assertThat(e.key()).isEqualTo(EyrieKeys.DIRECTORIES);
            assertThat(e.allowed()).contains(problem);
        });
    }

    /** The work of each class loader. */
    public static final class LoaderWork
    {
        private LoaderWork()
        {}

        public static void read(String caches, String file)
                throws IOException
        {
            Configuration configuration = TestingFileSystems.local(java.nio.file.Path.of(caches), RawLocalFileSystem.class);
            try (EyrieFileSystem fileSystem = TestingFileSystems.open(TestingFileSystems.LOCAL, configuration);
                    FSDataInputStream stream = fileSystem.open(new Path(file))) {
                stream.readFully(0, new byte[3]);
            }
        }

        public static void close()
        {
            ProcessCaches.closeAll();
        }
    }
}
