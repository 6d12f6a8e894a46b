// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.leaf;

/** The reasons not to cache a leaf's results. A refused leaf stays unchanged in the plan. */
public enum Refusal
{
    /** Nodes other than a partial aggregation over projections over a filter over a scan, in this order. */
    SHAPE,
    /** The leaf only reads columns, which the data cache already covers. */
    BARE_SCAN,
    /** Grouping sets, a streaming or hashed aggregation, or a step other than the partial one. */
    AGGREGATION_KIND,
    /** An aggregate with DISTINCT, ORDER BY or FILTER. */
    AGGREGATE_KIND,
    /** {@code random()} and the like. */
    NON_DETERMINISTIC,
    /** A function that the engine does not implement itself, but a plugin or another source: its name does not determine its behavior. */
    NOT_BUILT_IN,
    /** A lambda or a bound argument. */
    LAMBDA,
    /** A filter whose values another part of the same query collects. */
    DYNAMIC_FILTER,
    /** An expression of an unknown kind. */
    UNKNOWN_EXPRESSION,
    /** An enumeration, a distinct type, or a plugin's type: its name does not determine its definition. */
    TYPE,
    /**
     * More nodes, deeper expressions, or more bytes than {@link LeafReader} accepts: the key and the layout that carries the leaf would cost too
     * much.
     */
    TOO_LARGE,
    /** The connector refuses: the layout has a filter or an aggregation of its own. */
    LAYOUT,
    /** The engine or the connector threw an exception while planning the leaf. */
    FAILED,
}
