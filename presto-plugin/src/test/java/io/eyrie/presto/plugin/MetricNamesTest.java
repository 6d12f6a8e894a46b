// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.plugin;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;
import org.weakref.jmx.Managed;
import org.weakref.jmx.Nested;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the JMX exporter's rules (docs/operations) against the classes of the MBeans. {@code MetricsIT} runs them. */
class MetricNamesTest
{
    /** Attributes that Prometheus can compute from other metrics, or that Presto names. */
    private static final Set<String> LEFT_OUT = Set.of(
            "SplitArrivals.NonPreferredShare",
            "NodePlacement.NonPreferredShare",
            "SplitPlacer.HighMemorySplitSource");

    /** The keys of an MBean's name besides type and catalog. */
    private static final Map<String, String> MORE_KEYS = Map.of("NodePlacement", ", node=\"a\"", "CacheDisk", ", directory=\"/a\"");

    @Test
    void attributeThatIsNeitherMappedNorLeftOut()
            throws IOException
    {
        List<Pattern> rules = Pattern.compile("(?m)^  - pattern: '(.+)'$")
                .matcher(Files.readString(Path.of("../docs/operations/jmx-exporter.yaml")))
                .results()
                .map((MatchResult rule) -> Pattern.compile(rule.group(1)))
                .toList();
        List<JavaClass> beans = new ClassFileImporter().withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("io.eyrie.presto")
                .stream()
                .filter(type -> type.getMethods().stream().anyMatch(method -> method.isAnnotatedWith(Managed.class)))
                .filter(type -> !type.getSimpleName().equals("FooterCounters")) // nested
                .toList();
        assertThat(beans).hasSizeGreaterThan(8);
        assertThat(beans.stream().flatMap(MetricNamesTest::attributes)).allSatisfy(attribute -> assertThat(rules.stream().filter(
                rule -> rule.matcher(attribute).find())).as("rules for %s", attribute).hasSize(1));
    }

    /** Returns the attributes of a class in the form that the exporter passes to its rules. */
    private static Stream<String> attributes(JavaClass bean)
    {
        String name = bean.getPackageName() + "<type=" + bean.getSimpleName() + ", name=hive" + MORE_KEYS.getOrDefault(bean.getSimpleName(), "")
                + "><>";
        return managed(bean).filter(method -> !LEFT_OUT.contains(bean.getSimpleName() + "." + attribute(method)))
                .flatMap(method -> method.isAnnotatedWith(Nested.class)
                        ? managed(method.getRawReturnType()).map(nested -> attribute(method) + "." + attribute(nested))
                        : Stream.of(attribute(method)))
                .map(attribute -> name + attribute.replaceAll("(?<!^)(?=\\p{Lu})", "_").toLowerCase(Locale.ROOT) + ": 1");
    }

    private static Stream<JavaMethod> managed(JavaClass type)
    {
        return type.getMethods().stream().filter(method -> method.isAnnotatedWith(Managed.class));
    }

    private static String attribute(JavaMethod getter)
    {
        return getter.getName().substring("get".length());
    }
}
