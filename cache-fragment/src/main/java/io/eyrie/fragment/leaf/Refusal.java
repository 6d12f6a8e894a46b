// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.leaf;

/** The reasons not to cache a leaf's results. A refused leaf stays unchanged in the plan. */
public enum Refusal
{
    /** Nodes other than a partial aggregation over projections over a filter over a scan, in this order. */
    SHAPE("of the kinds or the order of their plan nodes"),
    BARE_SCAN("they only read columns, which the data cache covers"),
    /** Grouping sets, a streaming or hashed aggregation, or a step other than the partial one. */
    AGGREGATION_KIND("of grouping sets, or a streaming, hashed or non-partial aggregation"),
    AGGREGATE_KIND("of an aggregate with DISTINCT, ORDER BY, FILTER or an unexpected intermediate type"),
    NON_DETERMINISTIC("of random() or another nondeterministic function"),
    /** A function that the engine does not implement itself, but a plugin or another source: its name does not determine its behavior. */
    NOT_BUILT_IN("of a function that the engine does not implement itself"),
    LAMBDA("of a lambda or a bound argument"),
    DYNAMIC_FILTER("of a dynamic filter, whose values another part of the query collects"),
    UNKNOWN_EXPRESSION("of an unknown kind of expression"),
    /** An enumeration, a distinct type, or a plugin's type: its name does not determine its definition. */
    TYPE("of an enumeration, a distinct type or a plugin's type"),
    /**
     * More nodes, deeper expressions, or more bytes than {@link LeafReader} accepts: the key and the layout that carries the leaf would cost too
     * much.
     */
    TOO_LARGE("of too many or too deeply nested expressions, or too many bytes"),
    LAYOUT("the table layout already filters or aggregates"),
    FAILED("the engine or the connector threw an exception while planning them");

    private final String description;

    Refusal(String description)
    {
        this.description = description;
    }

    /** Returns the end of a sentence that begins with "refused because". */
    public String description()
    {
        return description;
    }
}
