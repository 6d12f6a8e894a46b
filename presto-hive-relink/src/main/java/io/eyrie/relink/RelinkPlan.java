// SPDX-License-Identifier: Apache-2.0
package io.eyrie.relink;

import java.util.List;
import java.util.Map;

/**
 * The changes that link one release of the connector to another SPI.
 *
 * @param relocations maps internal names of types that the SPI lacks to their names in the jar
 * @param rewrites changes to calls, mostly of methods that the SPI lacks or the engine no longer supports
 */
record RelinkPlan(Map<String, String> relocations, List<CallRewrite> rewrites)
{
    RelinkPlan
    {
        relocations = Map.copyOf(relocations);
        rewrites = List.copyOf(rewrites);
    }
}
