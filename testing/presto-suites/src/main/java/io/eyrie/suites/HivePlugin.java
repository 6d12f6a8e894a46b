// SPDX-License-Identifier: Apache-2.0
package io.eyrie.suites;

import com.facebook.presto.spi.Plugin;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/** Loads Presto's Hive connector from a plugin folder. Its class loader sees the engine's SPI and no other class of this process. */
final class HivePlugin
{
    private static final List<String> SPI = List.of("com.facebook.presto.spi.", "com.facebook.presto.common", "com.fasterxml.jackson.annotation.",
            "io.airlift.slice.", "com.facebook.airlift.units.", "org.openjdk.jol.", "com.facebook.drift.annotations.",
            "com.facebook.drift.TException",
            "com.facebook.drift.TApplicationException");

    private HivePlugin()
    {}

    @SuppressWarnings("resource") // in use until the process ends
    static Plugin load(Path folder)
            throws IOException
    {
        URL[] jars;
        try (Stream<Path> files = Files.list(folder)) {
            jars = files.map(HivePlugin::url).toArray(URL[]::new);
        }
        return ServiceLoader.load(Plugin.class, new URLClassLoader(jars, new SpiClassLoader())).findFirst().orElseThrow(
                () -> new IllegalStateException("No plugin in " + folder));
    }

    private static URL url(Path jar)
    {
        try {
            return jar.toUri().toURL();
        }
        catch (MalformedURLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static final class SpiClassLoader
            extends ClassLoader
    {
        SpiClassLoader()
        {
            super(ClassLoader.getPlatformClassLoader());
        }

        @Override
        protected Class<?> findClass(String name)
                throws ClassNotFoundException
        {
            if (SPI.stream().anyMatch(name::startsWith)) {
                return HivePlugin.class.getClassLoader().loadClass(name);
            }
            throw new ClassNotFoundException(name);
        }
    }
}
