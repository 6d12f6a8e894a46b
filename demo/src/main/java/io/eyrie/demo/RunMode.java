// SPDX-License-Identifier: Apache-2.0
package io.eyrie.demo;

import com.fasterxml.jackson.annotation.JsonValue;

import java.util.Locale;

/** How a query uses the cache. */
public enum RunMode
{
    /** Presto's own connector runs the query, without a cache. */
    OFF,
    /** The query runs with the cache, which is empty. */
    COLD,
    /** The query has run with the cache before. */
    WARM;

    /** Returns the mode's word in tables and JSON. */
    @JsonValue
    public String word()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}
