package io.eyrie.relink;

import java.util.List;
import java.util.Map;

/**
 * What one release of the connector needs to be linked to another SPI.
 *
 * @param relocations internal names of types that the SPI lacks, to the names under which they travel in the jar
 * @param rewrites calls of methods that the SPI lacks
 */
record RelinkPlan(Map<String, String> relocations, List<CallRewrite> rewrites)
{
    RelinkPlan
    {
        relocations = Map.copyOf(relocations);
        rewrites = List.copyOf(rewrites);
    }
}
