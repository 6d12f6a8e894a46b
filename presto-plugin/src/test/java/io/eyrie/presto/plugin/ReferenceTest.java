// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.plugin;

import com.facebook.airlift.configuration.Config;
import com.facebook.airlift.configuration.ConfigurationMetadata;
import com.facebook.airlift.configuration.ConfigurationMetadata.AttributeMetadata;
import com.facebook.airlift.configuration.LegacyConfig;
import com.facebook.presto.cache.CacheConfig;
import com.facebook.presto.hive.HiveClientConfig;
import com.facebook.presto.hive.HiveCommonClientConfig;
import com.facebook.presto.hive.HiveCommonSessionProperties;
import com.facebook.presto.hive.HiveSessionProperties;
import com.facebook.presto.hive.MetastoreClientConfig;
import com.facebook.presto.hive.OrcFileWriterConfig;
import com.facebook.presto.hive.ParquetFileWriterConfig;
import com.facebook.presto.orc.cache.OrcCacheConfig;
import com.facebook.presto.parquet.cache.ParquetCacheConfig;
import com.facebook.presto.spi.connector.Connector;
import com.facebook.presto.spi.session.PropertyMetadata;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.eyrie.presto.check.SelfCheck;
import io.eyrie.presto.check.Severity;
import io.eyrie.presto.config.AccessCheckConfig;
import io.eyrie.presto.config.AffinityConfig;
import io.eyrie.presto.config.CatalogFile;
import io.eyrie.presto.config.ControlConfig;
import io.eyrie.presto.config.EyrieAdmissionConfig;
import io.eyrie.presto.config.EyrieCacheConfig;
import io.eyrie.presto.config.EyrieFileListConfig;
import io.eyrie.presto.config.EyrieMetastoreConfig;
import io.eyrie.presto.config.FileHandlesConfig;
import io.eyrie.presto.config.FileStatisticsConfig;
import io.eyrie.presto.config.FragmentConfig;
import io.eyrie.presto.config.Layer;
import io.eyrie.presto.config.LayerProperties;
import io.eyrie.presto.config.LayerProperties.LayerProperty;
import io.eyrie.presto.config.PriceConfig;
import io.eyrie.presto.config.PropertyType;
import io.eyrie.presto.config.StoredMetadataConfig;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the files that are generated from the classes: the reference of all properties, and the property names that the eyrie command knows.
 * {@code -Deyrie.write=true} writes them again.
 */
class ReferenceTest
{
    private static final Path REFERENCE = Path.of("../docs/configuration.md");
    private static final Path NAMES = Path.of("../presto-config/src/main/resources/io/eyrie/presto/check/presto-hive-properties.txt");
    private static final List<Class<?>> OURS = List.of(
            EyrieCacheConfig.class,
            EyrieAdmissionConfig.class,
            AccessCheckConfig.class,
            FileHandlesConfig.class,
            AffinityConfig.class,
            ControlConfig.class,
            PriceConfig.class,
            EyrieMetastoreConfig.class,
            StoredMetadataConfig.class,
            EyrieFileListConfig.class,
            FragmentConfig.class,
            FileStatisticsConfig.class);
    private static final List<Class<?>> PRESTOS = List.of(
            HiveClientConfig.class,
            MetastoreClientConfig.class,
            OrcCacheConfig.class,
            ParquetCacheConfig.class);

    /** The types that the page's introduction explains. */
    private static final Map<PropertyType, String> SHORT = Map.of(
            PropertyType.COUNT, "a whole number",
            PropertyType.DATA_SIZE, "a size",
            PropertyType.DURATION, "a duration");
    private static final String RANGE = ".range";
    private static final String NO_BOUND = "-";

    /** A property of Eyrie or of Presto in the reference. */
    private record Row(String preset, String effect)
    {}

    @Test
    void referenceIsTrue(@TempDir Path directory)
            throws Exception
    {
        assertWritten(REFERENCE, reference(directory));
    }

    @Test
    void namesOfPrestosPropertiesAreTrue()
            throws Exception
    {
        String names = String.join("\n", prestosNames()) + "\n";
        assertThat(names).contains("hive.metastore.uri\n", "hive.s3.endpoint\n", "hive.orc.file-tail-cache-enabled\n", "hive.max-split-size\n");
        assertWritten(NAMES, names);
    }

    private static void assertWritten(Path file, String text)
            throws IOException
    {
        if (Boolean.getBoolean("eyrie.write")) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
        }
        assertThat(file).as("%s, which './mvnw test -pl presto-plugin -Dtest=ReferenceTest -Deyrie.write=true' writes", file).hasContent(text);
    }

    private static String reference(Path directory)
            throws Exception
    {
        Map<String, Row> rows = rows();
        Properties effects = effects();
        StringBuilder text = new StringBuilder(effects.getProperty("head")).append('\n');
        Set<String> used = new HashSet<>(Set.of("head", "sessions"));
        for (Layer layer : Layer.values()) {
            List<LayerProperty> properties = LayerProperties.all().stream().filter(property -> property.layer() == layer).toList();
            text.append("\n## ").append(title(layer)).append("\n\n");
            if (layer.lacking().isPresent()) {
                text.append(layer.lacking().get()).append(", so these are checked and have no effect: ").append(properties.stream()
                        .map(property -> "`" + property.name() + "`")
                        .collect(Collectors.joining(", "))).append(".\n");
                continue;
            }
            text.append("| property | type | default | allowed | effect |\n|---|---|---|---|---|\n");
            for (LayerProperty property : properties) {
                Row row = rows.get(property.name());
                assertThat(row).as(property.name()).isNotNull();
                String effect = effects.getProperty(property.name(), row.effect());
                used.add(property.name());
                used.add(property.name() + ".allowed");
                used.add(property.name() + ".default");
                used.add(property.name() + ".range");
                assertThat(effect).as("effect of " + property.name()).isNotBlank();
                text.append(String.format(
                        Locale.ROOT,
                        "| `%s` | %s | %s | %s | %s |\n",
                        property.name(),
                        property.type().name().toLowerCase(Locale.ROOT).replace('_', ' '),
                        effects.getProperty(property.name() + ".default", row.preset()),
                        allowed(property, effects),
                        effect));
            }
        }
        assertThat(effects.stringPropertyNames()).filteredOn(name -> !name.startsWith("session.")).as("effects of properties that there are")
                .isSubsetOf(used);
        return text.append('\n').append(effects.getProperty("sessions")).append("\n\n").append(sessions(directory, effects)).toString();
    }

    private static String allowed(LayerProperty property, Properties effects)
    {
        String words = effects.getProperty(property.name() + ".allowed", SHORT.getOrDefault(property.type(), property.type().allowed()));
        String range = effects.getProperty(property.name() + ".range");
        if (range == null) {
            return words;
        }
        List<String> bounds = bounds(range);
        return words + (bounds.get(2).equals(NO_BOUND) ? ", at least " + bounds.get(1) : ", from " + bounds.get(1) + " to " + bounds.get(2));
    }

    /* A value below the range, its least, its greatest, and a value above it. */
    private static List<String> bounds(String range)
    {
        return List.of(range.split(" ", -1));
    }

    @Test
    void rangesAreTrue(@TempDir Path directory)
            throws IOException
    {
        Properties effects = effects();
        List<String> ranges = effects.stringPropertyNames().stream().filter(name -> name.endsWith(RANGE)).sorted().toList();
        assertThat(ranges).hasSizeGreaterThan(10);
        for (String range : ranges) {
            String property = range.substring(0, range.length() - RANGE.length());
            List<String> bounds = bounds(effects.getProperty(range));
            for (int i = 0; i < bounds.size(); i++) {
                if (!bounds.get(i).equals(NO_BOUND)) {
                    assertThat(isRefused(directory, property, bounds.get(i))).as(property + "=" + bounds.get(i)).isEqualTo(i == 0 || i == 3);
                }
            }
        }
    }

    private static boolean isRefused(Path directory, String property, String value)
    {
        CatalogFile catalog = new CatalogFile("hive", Map.of(
                "cache.enabled", "true",
                "cache.base-directory", directory.toString(),
                "hive.metastore-cache-ttl", "2d",
                property, value));
        return new SelfCheck(catalog, List.of()).findings().stream().anyMatch(finding -> finding.severity() == Severity.ERROR);
    }

    private static String title(Layer layer)
    {
        return layer.title().substring(0, 1).toUpperCase(Locale.ROOT) + layer.title().substring(1);
    }

    private static Properties effects()
            throws IOException
    {
        Properties effects = new Properties();
        try (var in = Files.newBufferedReader(Path.of("src/test/resources/reference.properties"))) {
            effects.load(in);
        }
        return effects;
    }

    private static Map<String, Row> rows()
            throws ReflectiveOperationException
    {
        Map<String, Row> rows = new HashMap<>();
        for (Class<?> type : PRESTOS) {
            rows.putAll(rows(type));
        }
        for (Class<?> type : OURS) {
            rows.putAll(rows(type));
        }
        return rows;
    }

    private static Map<String, Row> rows(Class<?> type)
            throws ReflectiveOperationException
    {
        Object defaults = type.getConstructor().newInstance();
        Map<String, Row> rows = new HashMap<>();
        for (AttributeMetadata attribute : ConfigurationMetadata.getConfigurationMetadata(type).getAttributes().values()) {
            Object preset = attribute.getGetter() == null ? null : attribute.getGetter().invoke(defaults);
            String name = prefixed(type, attribute.getInjectionPoint().getProperty());
            String description = Optional.ofNullable(attribute.getDescription()).orElse("");
            rows.put(name, new Row(preset(preset), description));
            attribute.getLegacyInjectionPoints().forEach(legacy -> rows.put(prefixed(type, legacy.getProperty()), new Row(
                    "–",
                    "The old name of `" + name + "`")));
        }
        return rows;
    }

    private static String preset(@Nullable Object value)
    {
        if (value == null || value.equals(Optional.empty()) || value.equals(List.of())) {
            return "–";
        }
        return "`" + (value instanceof Collection<?> all
                ? all.stream().map(String::valueOf).collect(Collectors.joining(","))
                : String.valueOf(value).replace(".00", "")) + "`";
    }

    /* Properties of ORC and Parquet have the catalog's name as a prefix. */
    private static String prefixed(Class<?> type, String property)
    {
        return type == OrcCacheConfig.class || type == ParquetCacheConfig.class ? "hive." + property : property;
    }

    private static String sessions(Path directory, Properties effects)
    {
        Set<String> stock = Stream.of(
                new HiveSessionProperties(new HiveClientConfig(), new OrcFileWriterConfig(), new ParquetFileWriterConfig(), new CacheConfig())
                        .getSessionProperties(),
                new HiveCommonSessionProperties(new HiveCommonClientConfig()).getSessionProperties())
                .flatMap(List::stream)
                .map(PropertyMetadata::getName)
                .filter(name -> !Set.of("cache_enabled", "node_selection_strategy").contains(name))
                .collect(Collectors.toSet());
        Connector connector = new EyrieConnectorFactory().create(
                "reference",
                Map.of("hive.metastore", "file", "hive.metastore.catalog.dir", directory.resolve("metastore").toUri().toString()),
                new TestingConnectorContext());
        try {
            Map<String, String> lines = new TreeMap<>();
            connector.getSessionProperties().stream().filter(property -> !stock.contains(property.getName())).forEach(property -> lines.put(
                    property.getName(),
                    String.format(Locale.ROOT, "| `%s` | %s | %s |\n", property.getName(), property.getSqlType().getDisplayName(), effects
                            .getProperty("session." + property.getName(), property.getDescription()))));
            return "| session property | type | effect |\n|---|---|---|\n" + String.join("", lines.values());
        }
        finally {
            connector.shutdown();
        }
    }

    private static Set<String> prestosNames()
            throws ClassNotFoundException
    {
        Set<String> names = new TreeSet<>();
        for (JavaClass found : new ClassFileImporter().withImportOption(location -> location.contains("Config")).importPackages(
                "com.facebook.presto.hive", "com.facebook.presto.orc",
                "com.facebook.presto.parquet",
                "com.facebook.presto.plugin.base")) {
            if (found.getMethods().stream().anyMatch(method -> method.isAnnotatedWith(Config.class))) {
                Class<?> type = Class.forName(found.getName());
                List<String> ofType = new ArrayList<>();
                for (Method method : type.getMethods()) {
                    Optional.ofNullable(method.getAnnotation(Config.class)).ifPresent(config -> ofType.add(config.value()));
                    Optional.ofNullable(method.getAnnotation(LegacyConfig.class)).ifPresent(legacy -> ofType.addAll(List.of(legacy.value())));
                }
                ofType.forEach(name -> names.add(prefixed(type, name)));
            }
        }
        return names;
    }
}
