// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.config;

import com.facebook.airlift.configuration.ConfigurationFactory;
import io.airlift.units.DataSize;
import io.airlift.units.Duration;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static java.util.Objects.requireNonNull;

/**
 * The content of a catalog's file. Properties are looked up by their names in a catalog named {@code hive}, and also found under the catalog's own prefix.
 *
 * @param properties the properties, in which set environment variables are replaced by their values
 */
public record CatalogFile(String name, Map<String, String> properties)
{
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{ENV:([a-zA-Z][a-zA-Z0-9_]*)}");
    private static final String SUFFIX = ".properties";

    public CatalogFile
    {
        requireNonNull(name, "name is null");
        Map<String, String> filled = new HashMap<>();
        properties.forEach((property, value) -> filled.put(property, filledIn(value)));
        properties = Map.copyOf(filled);
    }

    /** Reads a file that is named after the catalog. */
    public static CatalogFile read(Path file)
            throws IOException
    {
        String fileName = String.valueOf(file.getFileName());
        Map<String, String> read = new HashMap<>();
        lines(file).forEach((property, value) -> read.put(property, value.trim()));
        return new CatalogFile(fileName.endsWith(SUFFIX) ? fileName.substring(0, fileName.length() - SUFFIX.length()) : fileName, read);
    }

    /** Returns the content of a properties file. */
    public static Map<String, String> lines(Path file)
            throws IOException
    {
        Properties read = new Properties();
        load(read, file);
        Map<String, String> lines = new HashMap<>();
        read.stringPropertyNames().forEach(property -> lines.put(property, read.getProperty(property)));
        return lines;
    }

    /** Returns the properties that a file has more than one line for; the last line counts. */
    public static List<String> namedTwice(Path file)
            throws IOException
    {
        Set<String> seen = new HashSet<>();
        Set<String> twice = new TreeSet<>();
        Properties read = new Properties() {
            @Override
            public synchronized @Nullable Object put(Object key, Object value)
            {
                if (!seen.add(String.valueOf(key))) {
                    twice.add(String.valueOf(key));
                }
                return super.put(key, value);
            }
        };
        load(read, file);
        return List.copyOf(twice);
    }

    private static void load(Properties properties, Path file)
            throws IOException
    {
        try (Reader in = Files.newBufferedReader(file)) {
            properties.load(in);
        }
        catch (IllegalArgumentException e) { // a broken \\u
            throw new IOException(file + " is not a properties file: " + e.getMessage(), e);
        }
    }

    private static String filledIn(String value)
    {
        return VARIABLE.matcher(value).replaceAll(found -> {
            String text = System.getenv(found.group(1));
            return Matcher.quoteReplacement(text == null ? found.group() : text);
        });
    }

    /** Returns the properties by their names in a catalog named {@code hive}. */
    public Map<String, String> byGuideName()
    {
        Map<String, String> named = new HashMap<>();
        properties.forEach((property, value) -> named.put(CatalogProperties.guideName(name, property), value));
        return named;
    }

    /** Returns the name by which the connector knows a property, which may start with the catalog's name. */
    public String nameInConnector(String property)
    {
        return CatalogProperties.connectorName(name, property);
    }

    /** Returns a property's text, if it is set. */
    public Optional<String> value(String property)
    {
        return Optional.ofNullable(byGuideName().get(property)).map(String::trim);
    }

    /** Returns the directories of the cache; none if they are not set or malformed. */
    public List<Path> cacheDirectories()
    {
        try {
            return value("cache.base-directory").map(PropertyType::directories).orElse(List.of());
        }
        catch (IllegalArgumentException | IllegalStateException e) { // the property's own check reports it
            return List.of();
        }
    }

    /** Whether a property is {@code true}; the default if it is not set. */
    public boolean isOn(String property, boolean preset)
    {
        return value(property).map(Boolean::parseBoolean).orElse(preset);
    }

    /** Returns a size; the default if it is not set or malformed. */
    public long bytes(String property, long preset)
    {
        return parsed(property, text -> DataSize.valueOf(text).toBytes()).orElse(preset);
    }

    /** Returns a duration; zero if it is not set or malformed. */
    public long millis(String property)
    {
        return parsed(property, text -> Duration.valueOf(text).toMillis()).orElse(0L);
    }

    private Optional<Long> parsed(String property, Function<String, Long> parser)
    {
        try {
            return value(property).map(parser);
        }
        catch (IllegalArgumentException e) { // the property's own check reports it
            return Optional.empty();
        }
    }

    /**
     * Returns the properties of a config class, as airlift reads them.
     *
     * @throws com.google.inject.ConfigurationException if a property has an invalid value
     */
    public <T> T config(Class<T> type)
    {
        return new ConfigurationFactory(properties).build(type);
    }
}
