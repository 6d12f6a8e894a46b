// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration;

import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Compiles a Presto plugin from its source. */
final class PluginJar
{
    private PluginJar()
    {}

    /**
     * Writes the jar into the plugin's folder, replacing an existing one.
     *
     * @param name of the source's class, which is in the default package
     * @param services the classes that Presto loads, by the interface that each implements
     * @return the folder
     */
    static Path write(Path folder, Path engineLib, String name, String source, Map<String, String> services)
    {
        try (Stream<Path> engine = Files.list(engineLib)) {
            Path classes = Files.createDirectories(folder.resolveSibling(folder.getFileName() + "-classes"));
            Path file = Files.writeString(classes.resolve(name + ".java"), source);
            String spi = String.join(":", engine.map(Path::toString).filter(jar -> jar.endsWith(".jar")).toList());
            JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
            int failed = compiler.run(null, null, null, "-proc:none", "--release", "17", "-cp", spi, "-d", classes.toString(), file.toString());
            if (failed != 0) {
                throw new IllegalStateException("The source of the plugin " + name + " does not compile");
            }
            Path jar = Files.createDirectories(folder).resolve(name.toLowerCase(Locale.ROOT) + ".jar");
            Files.deleteIfExists(jar);
            try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar)); Stream<Path> compiled = Files.list(classes)) {
                for (Map.Entry<String, String> service : services.entrySet()) {
                    write(out, "META-INF/services/com.facebook.presto.spi." + service.getKey(), service.getValue().getBytes(UTF_8));
                }
                for (Path one : compiled.filter(path -> path.toString().endsWith(".class")).toList()) {
                    write(out, String.valueOf(one.getFileName()), Files.readAllBytes(one));
                }
            }
            return folder;
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(JarOutputStream out, String name, byte[] content)
            throws IOException
    {
        out.putNextEntry(new JarEntry(name));
        out.write(content);
        out.closeEntry();
    }
}
