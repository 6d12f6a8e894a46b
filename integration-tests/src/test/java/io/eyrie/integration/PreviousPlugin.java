// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration;

import io.eyrie.testing.files.Directories;
import io.eyrie.testing.lake.Checkout;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Compiles the plugin of the commit in {@code build/previous} from the repository's history. Its folder has that commit's classes of Eyrie, and the
 * present libraries of others, relinked Hive connector, and modules that the commit does not have.
 */
final class PreviousPlugin
{
    private static final Pattern OWN = Pattern.compile("eyrie-(?<module>.+?)-\\d.*\\.jar");
    private static final String RELINKED = "presto-hive-relink";
    private static final String ENGINE = "cache-fragment/engine";

    private final Checkout checkout;
    private final Path sources;
    private final Path classes;

    private PreviousPlugin(Checkout checkout, Path scratch)
    {
        this.checkout = checkout;
        this.sources = scratch.resolve("sources");
        this.classes = scratch.resolve("classes");
    }

    /** Writes the plugin's folder. The repository must contain the commit. */
    static void write(Checkout checkout, Path folder)
    {
        Path scratch = folder.resolveSibling(folder.getFileName() + "-build");
        try {
            Directories.delete(folder);
            Directories.delete(scratch);
            new PreviousPlugin(checkout, scratch).write(folder);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void write(Path folder)
            throws IOException
    {
        unpackSources();
        List<Path> libraries = new ArrayList<>();
        List<String> modules = new ArrayList<>();
        for (Path jar : jars(checkout.eyriePlugin())) {
            Matcher own = OWN.matcher(String.valueOf(jar.getFileName()));
            if (own.matches() && !own.group("module").equals(RELINKED) && Files.exists(sources.resolve(own.group("module")))) {
                modules.add(own.group("module"));
            }
            else {
                libraries.add(jar);
            }
        }
        List<Path> engine = jars(checkout.engineLib());
        Path plugin = classes.resolve("plugin");
        for (String module : modules) {
            copyResources(sources.resolve(module), plugin);
        }
        compile(modules, plugin, Stream.concat(libraries.stream(), engine.stream()).toList());
        Path leaves = classes.resolve("engine");
        compile(List.of(ENGINE), leaves, Stream.of(List.of(plugin), engine, libraries).flatMap(List::stream).toList());
        Files.createDirectories(folder.resolve("engine"));
        for (Path library : libraries) {
            Files.createSymbolicLink(folder.resolve(library.getFileName()), library.toRealPath());
        }
        pack(plugin, folder.resolve("eyrie-previous.jar"));
        pack(leaves, folder.resolve("engine/eyrie-fragment-engine.jar"));
    }

    private static List<Path> jars(Path folder)
            throws IOException
    {
        return files(folder, 1, ".jar"::equals);
    }

    private static List<Path> files(Path folder, int depth, Predicate<String> suffixes)
            throws IOException
    {
        try (Stream<Path> files = Files.walk(folder, depth)) {
            return files.filter(Files::isRegularFile).filter(file -> suffixes.test(suffix(file))).sorted().toList();
        }
    }

    private static String suffix(Path file)
    {
        String name = String.valueOf(file.getFileName());
        return name.substring(Math.max(0, name.lastIndexOf('.')));
    }

    private void unpackSources()
            throws IOException
    {
        String commit = Files.readAllLines(checkout.root().resolve("build/previous")).stream().filter(line -> !line.startsWith("#")).findFirst()
                .orElseThrow();
        Path archive = Files.createDirectories(sources).resolveSibling("sources.zip").toAbsolutePath();
        Process git = new ProcessBuilder("git", "archive", "--format=zip", "-o", archive.toString(), commit, "--", ":(glob)**/src/main/**")
                .directory(checkout.root().toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(git.getInputStream().readAllBytes(), UTF_8);
        if (git.onExit().join().exitValue() != 0) {
            throw new IllegalStateException("This repository does not contain the commit in build/previous, or is not one: " + output
                    + " A shallow clone becomes complete with: git fetch --unshallow");
        }
        try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(archive))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                if (!entry.isDirectory()) {
                    Path file = sources.resolve(entry.getName());
                    Files.createDirectories(file.getParent());
                    Files.copy(zip, file);
                }
            }
        }
    }

    private static void copyResources(Path module, Path target)
            throws IOException
    {
        Path resources = module.resolve("src/main/resources");
        if (!Files.isDirectory(resources)) {
            return;
        }
        for (Path file : files(resources, Integer.MAX_VALUE, any -> true)) {
            Path copy = target.resolve(resources.relativize(file).toString());
            Files.createDirectories(copy.getParent());
            Files.copy(file, copy);
        }
    }

    private void compile(List<String> modules, Path target, List<Path> classPath)
            throws IOException
    {
        List<String> arguments = new ArrayList<>(List.of("--release", "17", "-proc:none", "-nowarn", "-parameters", "-d", target.toString(), "-cp",
                String.join(":", classPath.stream().map(Path::toString).toList())));
        for (String module : modules) {
            files(sources.resolve(module).resolve("src/main/java"), Integer.MAX_VALUE, ".java"::equals).forEach(file -> arguments.add(file
                    .toString()));
        }
        run("javac", arguments);
    }

    private static void pack(Path classes, Path jar)
    {
        run("jar", List.of("--create", "--file", jar.toString(), "-C", classes.toString(), "."));
    }

    private static void run(String tool, List<String> arguments)
    {
        int failed = ToolProvider.findFirst(tool).orElseThrow().run(System.out, System.err, arguments.toArray(String[]::new));
        if (failed != 0) {
            throw new IllegalStateException(tool + " failed; its messages are in the test's output");
        }
    }
}
