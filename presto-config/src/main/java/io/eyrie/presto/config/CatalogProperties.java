// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.config;

import io.eyrie.cache.config.ConfigException;
import io.eyrie.presto.config.LayerProperties.LayerProperty;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The properties of one catalog, separated into those that are passed to the connector and those of layers that Eyrie lacks.
 *
 * <p>Presto prefixes the properties of its ORC and Parquet caches with the catalog's name, and guides were written for a catalog named {@code hive}. Both
 * {@code hive.orc.…} and {@code <catalog>.orc.…} are accepted.
 */
public final class CatalogProperties
{
    private static final String GUIDE_CATALOG = "hive";
    private static final Set<String> PREFIXED_BY_CATALOG = Set.of("hive.orc.expected-file-tail-size", "hive.orc.dwrf-stripe-cache-enabled");

    private final String catalogName;
    private final Map<String, String> all;
    private final SortedMap<String, String> forConnector = new TreeMap<>();
    private final SortedMap<Layer, List<String>> withoutEffect = new TreeMap<>();

    /**
     * Separates and checks the properties.
     *
     * @throws ConfigException about the first property that its layer would refuse, or that has different values under its two names
     */
    public CatalogProperties(String catalogName, Map<String, String> properties)
    {
        this.catalogName = catalogName;
        all = Map.copyOf(properties);
        new TreeMap<>(properties).forEach((name, value) -> {
            String guideName = guideName(catalogName, name);
            rejectContradiction(name, value, guideName, properties);
            Optional<LayerProperty> known = LayerProperties.find(guideName);
            known.ifPresent(property -> check(name, value, property));
            if (known.isPresent() && known.get().layer().lacking().isPresent()) {
                withoutEffect.computeIfAbsent(known.get().layer(), ignored -> new ArrayList<>()).add(name);
            }
            else {
                forConnector.put(connectorName(catalogName, name), value);
            }
        });
    }

    /** Returns the properties that the connector's modules read. If no module knows one of them, the start fails there. */
    public Map<String, String> forConnector()
    {
        return Map.copyOf(forConnector);
    }

    /** Returns the settings for the connector, with the lines that Eyrie adds on a machine, and those for layers that Eyrie lacks. */
    public CatalogSettings settings(Machine machine)
    {
        Map<String, String> ignored = new TreeMap<>(all);
        ignored.keySet().retainAll(withoutEffect.values().stream().flatMap(List::stream).toList());
        return new CatalogSettings(forConnector, ignored, AddedLines.of(new CatalogFile(catalogName, all), machine));
    }

    /** Returns one line for each layer that Eyrie lacks and that has properties here, with their names. */
    public List<String> notices()
    {
        return withoutEffect.entrySet()
                .stream()
                .map(entry -> entry.getKey().lacking().orElseThrow() + ", so these properties are accepted and have no effect: " + String.join(
                        ", ",
                        entry.getValue())
                        + " (" + entry.getKey().title() + ")")
                .toList();
    }

    private static void check(String name, String value, LayerProperty property)
    {
        boolean filledInLater = value.contains("${ENV:");
        if (!filledInLater && !property.type().accepts(value)) {
            throw new ConfigException(name, "'" + value + "'", "it must be " + property.type().allowed(), "correct it or remove the line");
        }
    }

    private static void rejectContradiction(String name, String value, String guideName, Map<String, String> properties)
    {
        String other = properties.getOrDefault(guideName, value);
        if (!other.equals(value)) {
            throw new ConfigException(name, "'" + value + "'", guideName + ", the same property, is '" + other + "'", "keep one of the two");
        }
    }

    /** Returns the name that a property has in a catalog named {@code hive}. */
    static String guideName(String catalogName, String name)
    {
        if (name.startsWith(catalogName + ".orc.") || name.startsWith(catalogName + ".parquet.")) {
            return GUIDE_CATALOG + name.substring(catalogName.length());
        }
        return name;
    }

    /** Returns the name by which the connector's modules know a property. */
    static String connectorName(String catalogName, String name)
    {
        boolean prefixed = PREFIXED_BY_CATALOG.contains(name) || LayerProperties.find(name).filter(property -> property.layer() == Layer.FOOTERS)
                .isPresent();
        return prefixed ? catalogName + name.substring(GUIDE_CATALOG.length()) : name;
    }
}
