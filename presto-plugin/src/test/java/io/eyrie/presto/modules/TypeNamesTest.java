// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.modules;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the names of the types in all modules that are shipped, nested types included. */
class TypeNamesTest
{
    private static final List<String> MODULES = List.of(
            "cache-alluxio", "cache-core", "cache-footer", "cache-fragment", "cache-fragment/engine", "cache-fs", "cache-metastore", "cli",
            "presto-config", "presto-hive-relink", "presto-plugin", "scheduler-affinity");
    /** Names that have a meaning only together with the enclosing type. */
    private static final Set<String> OF_THE_ENCLOSING_TYPE = Set.of("Builder", "Factory", "Reason", "State");
    private static final Pattern PARTICIPLE = Pattern.compile(
            "\\p{Lu}\\p{Ll}+ed|Begun|Found|Given|Held|Kept|Known|Lost|Missing|Planning|Ran|Reading|Running"
                    + "|Seen|Sent|Taken|Told|Waiting|Written");

    private static List<Type> types;

    /** @param visible whether the type is nested in none, or is public and all that enclose it are */
    private record Type(String name, String file, boolean nested, boolean visible)
    {
        @Override
        public String toString()
        {
            return name + " in " + file;
        }
    }

    @BeforeAll
    static void parse()
            throws IOException
    {
        List<Path> files = new ArrayList<>();
        for (String module : MODULES) {
            try (Stream<Path> sources = Files.walk(Path.of("..", module, "src/main/java"))) {
                sources.filter(file -> file.toString().endsWith(".java")).forEach(files::add);
            }
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask) compiler.getTask(null, manager, null, null, null, manager.getJavaFileObjectsFromPaths(files));
            List<Type> found = new ArrayList<>();
            for (CompilationUnitTree unit : task.parse()) {
                scan(unit, found);
            }
            types = found;
        }
        assertThat(types).hasSizeGreaterThan(700);
    }

    private static void scan(CompilationUnitTree unit, List<Type> found)
    {
        String file = Path.of(unit.getSourceFile().getName()).getFileName().toString();
        new TreePathScanner<Void, Boolean>() {
            @Override
            public Void visitClass(ClassTree type, Boolean outerVisible)
            {
                Tree outer = getCurrentPath().getParentPath().getLeaf();
                boolean nested = outer != unit;
                boolean isPublic = type.getModifiers().getFlags().contains(Modifier.PUBLIC) || (outer.getKind() == Tree.Kind.INTERFACE);
                if (!type.getSimpleName().isEmpty()) {
                    found.add(new Type(type.getSimpleName().toString(), file, nested, !nested || (outerVisible && isPublic)));
                }
                return super.visitClass(type, isPublic && (!nested || outerVisible));
            }
        }.scan(unit, true);
    }

    @Test
    void oneNameForTwoTypes()
    {
        Map<String, List<Type>> byName = types.stream().collect(Collectors.groupingBy(Type::name, TreeMap::new, Collectors.toList()));
        assertThat(byName.values()).noneMatch(same -> same.size() > 1
                && (same.stream().anyMatch(type -> !type.nested())
                        || (same.stream().filter(Type::visible).count() > 1 && !OF_THE_ENCLOSING_TYPE.contains(same.get(0).name()))));
    }

    /** {@code cache-core/README.md} has the words for the sizes and places of a read's path. */
    @Test
    void otherWordForASizeInTheReadPath()
            throws IOException
    {
        try (Stream<Path> sources = Files.walk(Path.of("../cache-core/src/main/java"))) {
            assertThat(sources.filter(Files::isRegularFile)).isNotEmpty()
                    .allSatisfy((Path file) -> assertThat(Files.readString(file)).doesNotContainPattern("(?i)chunk|piece|window"));
        }
    }

    @Test
    void participleWithoutANoun()
    {
        assertThat(types).noneMatch(type -> PARTICIPLE.matcher(type.name()).matches());
    }
}
