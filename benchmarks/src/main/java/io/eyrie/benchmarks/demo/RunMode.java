package io.eyrie.benchmarks.demo;

import com.fasterxml.jackson.annotation.JsonValue;

import java.util.Locale;

/** How a query meets the cache. */
public enum RunMode
{
    /** The session turns the cache off. */
    OFF,
    /** The first time that the query runs with the cache. */
    COLD,
    /** The query has run with the cache before. */
    WARM;

    /** The word for it in tables and JSON. */
    @JsonValue
    public String word()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}
