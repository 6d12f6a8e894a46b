package io.eyrie.presto.config;

import java.util.Map;
import java.util.stream.Collectors;

/** What a catalog's file says, as the connector gets it. */
public record CatalogSettings(Map<String, String> properties)
{
    public CatalogSettings
    {
        properties = Map.copyOf(properties);
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
