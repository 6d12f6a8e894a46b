package io.eyrie.integration;

import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.UTF_8;

/** A plugin of Presto's with one function, {@code eyrie_udf}, which adds a number to its argument. Compiled when it is written. */
final class UdfPlugin
{
    private static final String SOURCE = """
            import com.facebook.presto.spi.Plugin;
            import com.facebook.presto.spi.function.ScalarFunction;
            import com.facebook.presto.spi.function.SqlType;
            import java.util.Set;

            public final class Udf implements Plugin
            {
                @Override
                public Set<Class<?>> getFunctions()
                {
                    return Set.of(Function.class);
                }

                public static final class Function
                {
                    @ScalarFunction("eyrie_udf")
                    @SqlType("bigint")
                    public static long add(@SqlType("bigint") long value)
                    {
                        return value + ADDED;
                    }
                }
            }
            """;

    private UdfPlugin()
    {}

    /** Writes the plugin's jar, or puts another one in its place. */
    static Path write(Path folder, Path engineLib, int added)
    {
        try (Stream<Path> engine = Files.list(engineLib)) {
            Path classes = Files.createDirectories(folder.resolveSibling(folder.getFileName() + "-classes"));
            Path source = Files.writeString(classes.resolve("Udf.java"), SOURCE.replace("ADDED", Integer.toString(added)));
            String spi = String.join(":", engine.map(Path::toString).filter(jar -> jar.endsWith(".jar")).toList());
            JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
            int failed = compiler.run(null, null, null, "-proc:none", "--release", "17", "-cp", spi, "-d", classes.toString(), source.toString());
            if (failed != 0) {
                throw new IllegalStateException("The plugin's source does not compile");
            }
            Path jar = Files.createDirectories(folder).resolve("udf.jar");
            Files.deleteIfExists(jar);
            try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
                write(out, "META-INF/services/com.facebook.presto.spi.Plugin", "Udf".getBytes(UTF_8));
                for (String name : List.of("Udf.class", "Udf$Function.class")) {
                    write(out, name, Files.readAllBytes(classes.resolve(name)));
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
