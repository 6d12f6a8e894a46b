// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.config;

import io.eyrie.cache.config.ConfigException;

import java.util.Arrays;
import java.util.Locale;

/** Which joins below an aggregation or a top-N become one scan, whose results are cached. */
public enum JoinAdmission
{
    NEVER,
    /** Joins that the coordinator has planned before, as far as it remembers. */
    SEEN_TWICE,
    ALWAYS;

    /** The property that sets it for a catalog. */
    public static final String PROPERTY = "fragment-result-cache.joined.admission";

    /**
     * Returns the admission with a name, which may have hyphens.
     *
     * @throws ConfigException if there is none
     */
    public static JoinAdmission of(String name)
    {
        return Arrays.stream(values())
                .filter(value -> value.name().equals(name.toUpperCase(Locale.ROOT).replace('-', '_')))
                .findFirst()
                .orElseThrow(() -> new ConfigException(PROPERTY, name, "it must be never, seen-twice or always", "set it to seen-twice"));
    }

    /** Returns the name as the property has it. */
    public String label()
    {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
