// SPDX-License-Identifier: Apache-2.0
package io.eyrie.relink;

import org.objectweb.asm.ClassReader;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * Writes the relinked content of a jar, and the types that it carries along, into a directory, whose old content it deletes. Copies entries that need no change
 * byte for byte. Omits signatures and the manifest, because the packer of the jar writes its own.
 */
final class JarRelinker
{
    private final RelinkPlan plan;
    private final ClassRelinker classes;
    private final Path target;

    JarRelinker(RelinkPlan plan, Path target)
    {
        this.plan = plan;
        this.classes = new ClassRelinker(plan);
        this.target = target;
    }

    /**
     * Relinks the jar.
     *
     * @param jar the connector
     * @param spi the jar that holds the types to carry along
     * @param additions a directory of our own class files, relinked like the connector's
     * @throws RelinkException if the connector or the SPI does not match the plan
     */
    void relink(Path jar, Path spi, Path additions)
            throws IOException
    {
        empty(target);
        try (JarFile connector = new JarFile(jar.toFile())) {
            for (JarEntry entry : connector.stream().filter(JarRelinker::isCarried).toList()) {
                copy(connector, entry);
            }
        }
        classes.verifyComplete();
        takeAlong(spi);
        for (Path file : classFiles(additions)) {
            writeClass(classes.relink(Files.readAllBytes(file)));
        }
    }

    private void takeAlong(Path spi)
            throws IOException
    {
        try (JarFile jar = new JarFile(spi.toFile())) {
            for (String name : plan.relocations().keySet()) {
                JarEntry entry = jar.getJarEntry(name + ".class");
                if (entry == null) {
                    throw new RelinkException(name + " is not in " + spi);
                }
                try (InputStream in = jar.getInputStream(entry)) {
                    writeClass(classes.relink(in.readAllBytes()));
                }
            }
        }
    }

    private void copy(JarFile jar, JarEntry entry)
            throws IOException
    {
        try (InputStream in = jar.getInputStream(entry)) {
            byte[] content = in.readAllBytes();
            if (entry.getName().endsWith(".class")) {
                writeClass(classes.relink(content));
            }
            else {
                write(entry.getName(), content);
            }
        }
    }

    private void writeClass(byte[] classFile)
            throws IOException
    {
        write(new ClassReader(classFile).getClassName() + ".class", classFile);
    }

    private void write(String name, byte[] content)
            throws IOException
    {
        Path file = target.resolve(name).normalize();
        if (!file.startsWith(target)) {
            throw new RelinkException("The jar entry " + name + " is outside the target directory");
        }
        Files.createDirectories(file.resolveSibling("."));
        Files.write(file, content);
    }

    private static boolean isCarried(JarEntry entry)
    {
        String name = entry.getName();
        boolean signature = name.startsWith("META-INF/") && (name.endsWith(".SF") || name.endsWith(".RSA") || name.endsWith(".DSA"));
        return !entry.isDirectory() && !signature && !name.equals(JarFile.MANIFEST_NAME);
    }

    private static void empty(Path directory)
            throws IOException
    {
        if (Files.notExists(directory)) {
            return;
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private static List<Path> classFiles(Path directory)
            throws IOException
    {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".class")).sorted().toList();
        }
    }
}
