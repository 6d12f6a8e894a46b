// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fs;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

/** Creates wrapped file systems over raw local files. */
final class TestingFileSystems
{
    static final URI LOCAL = URI.create("file:///");

    private TestingFileSystems()
    {}

    /**
     * Returns a configuration with small pages, so that small files have several, and without a minimum age, so that files written by a test are
     * cached at once.
     */
    static Configuration configuration(Path cacheDirectory)
    {
        Configuration configuration = new Configuration();
        configuration.set(EyrieKeys.DIRECTORIES, cacheDirectory.toString());
        configuration.set(EyrieKeys.CAPACITY, "256m");
        configuration.set(EyrieKeys.PAGE_SIZE, "64k");
        configuration.set(EyrieKeys.MIN_FREE_SPACE, "0");
        configuration.set(EyrieKeys.MIN_FILE_AGE, "0s");
        return configuration;
    }

    static Configuration local(Path cacheDirectory, Class<? extends FileSystem> wrapped)
    {
        Configuration configuration = configuration(cacheDirectory);
        configuration.set("fs.file.impl", EyrieFileSystem.class.getName());
        configuration.set(EyrieKeys.implementation("file"), wrapped.getName());
        return configuration;
    }

    static EyrieFileSystem open(URI uri, Configuration configuration)
            throws IOException
    {
        return (EyrieFileSystem) FileSystem.newInstance(uri, configuration);
    }

    /** Creates a directory that lasts as long as the JVM's tests; the next build deletes it. */
    static Path cacheDirectory(String name)
    {
        try {
            Path parent = Files.createDirectories(Path.of("target", "caches").toAbsolutePath());
            return Files.createTempDirectory(parent, name);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
