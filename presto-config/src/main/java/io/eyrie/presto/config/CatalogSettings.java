package io.eyrie.presto.config;

import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a catalog's file says.
 *
 * @param properties as the connector gets them
 * @param withoutEffect of layers that Eyrie lacks
 */
public record CatalogSettings(Map<String, String> properties, Map<String, String> withoutEffect)
{
    public CatalogSettings
    {
        properties = Map.copyOf(properties);
        withoutEffect = Map.copyOf(withoutEffect);
    }

    /** Everything but the caches' own settings: a reader's zone, names or places of columns, and whatever else decides how bytes become rows. */
    public Map<String, String> bearingOnResults()
    {
        return properties.entrySet()
                .stream()
                .filter(property -> !property.getKey().startsWith("cache.") && !property.getKey().startsWith("fragment-result-cache."))
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
    }
}
