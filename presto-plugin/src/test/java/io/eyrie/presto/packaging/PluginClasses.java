// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.packaging;

import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.MethodNode;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * The classes that are visible to a plugin: those of the SPI's packages only from the engine, all others from its folder, then from the JDK. The same
 * rule as the engine's PluginClassLoader.
 */
final class PluginClasses
{
    private static final List<String> SPI_PACKAGES = List.of(
            "com/facebook/presto/spi/",
            "com/fasterxml/jackson/annotation/",
            "com/fasterxml/jackson/module/afterburner/",
            "io/airlift/slice/",
            "com/facebook/airlift/units/",
            "org/openjdk/jol/",
            "com/facebook/presto/common",
            "com/facebook/drift/annotations/",
            "com/facebook/drift/TException",
            "com/facebook/drift/TApplicationException");
    /* Their methods take any arguments, so descriptors do not resolve. */
    private static final Set<String> SIGNATURE_POLYMORPHIC = Set.of("java/lang/invoke/MethodHandle", "java/lang/invoke/VarHandle");

    private final Map<String, byte[]> folder = new TreeMap<>();
    private final ClassLoader engine;
    private final Map<String, Optional<ClassNode>> shapes = new HashMap<>();

    /** @param engine sees the SPI's classes, like the engine's own class loader */
    PluginClasses(Path pluginFolder, ClassLoader engine)
            throws IOException
    {
        this.engine = engine;
        try (Stream<Path> jars = Files.list(pluginFolder)) {
            for (Path jar : jars.filter(path -> path.toString().endsWith(".jar")).sorted().toList()) {
                read(jar);
            }
        }
    }

    /** Returns the class files of the folder whose internal names match. */
    Stream<byte[]> classFiles(Predicate<String> names)
    {
        return folder.entrySet().stream().filter(entry -> names.test(entry.getKey())).map(Map.Entry::getValue);
    }

    boolean hasClass(String internalName)
    {
        return internalName.startsWith("[") || shape(internalName).isPresent();
    }

    boolean hasMethod(String owner, String name, String descriptor)
    {
        if (owner.startsWith("[") || SIGNATURE_POLYMORPHIC.contains(owner)) {
            return true;
        }
        return anyInHierarchy(owner, type -> type.methods.stream().anyMatch(method -> matches(method, name, descriptor)));
    }

    boolean hasField(String owner, String name, String descriptor)
    {
        return anyInHierarchy(owner, type -> type.fields.stream().anyMatch(field -> matches(field, name, descriptor)));
    }

    private boolean anyInHierarchy(@Nullable String owner, Predicate<ClassNode> test)
    {
        if (owner == null) {
            return false;
        }
        Optional<ClassNode> type = shape(owner);
        if (type.isEmpty()) {
            return false;
        }
        ClassNode found = type.get();
        boolean interfaceType = (found.access & Opcodes.ACC_INTERFACE) != 0;
        return test.test(found)
                || anyInHierarchy(found.superName, test)
                || found.interfaces.stream().anyMatch(parent -> anyInHierarchy(parent, test))
                || (interfaceType && anyInHierarchy("java/lang/Object", test));
    }

    private Optional<ClassNode> shape(String internalName)
    {
        return shapes.computeIfAbsent(internalName, name -> classFile(name).map(PluginClasses::parse));
    }

    private Optional<byte[]> classFile(String internalName)
    {
        if (SPI_PACKAGES.stream().anyMatch(internalName::startsWith)) {
            return resource(engine, internalName);
        }
        return resource(ClassLoader.getPlatformClassLoader(), internalName).or(() -> Optional.ofNullable(folder.get(internalName)));
    }

    private static Optional<byte[]> resource(ClassLoader loader, String internalName)
    {
        try (InputStream in = loader.getResourceAsStream(internalName + ".class")) {
            return in == null ? Optional.empty() : Optional.of(in.readAllBytes());
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read(Path jar)
            throws IOException
    {
        try (JarFile file = new JarFile(jar.toFile())) {
            for (JarEntry entry : file.stream().filter(PluginClasses::isClass).toList()) {
                try (InputStream in = file.getInputStream(entry)) {
                    String name = entry.getName();
                    folder.putIfAbsent(name.substring(0, name.length() - ".class".length()), in.readAllBytes());
                }
            }
        }
    }

    private static boolean isClass(JarEntry entry)
    {
        return entry.getName().endsWith(".class") && !entry.getName().startsWith("META-INF/");
    }

    private static ClassNode parse(byte[] classFile)
    {
        ClassNode node = new ClassNode();
        new ClassReader(classFile).accept(node, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        return node;
    }

    private static boolean matches(MethodNode method, String name, String descriptor)
    {
        return method.name.equals(name) && method.desc.equals(descriptor);
    }

    private static boolean matches(FieldNode field, String name, String descriptor)
    {
        return field.name.equals(name) && field.desc.equals(descriptor);
    }
}
