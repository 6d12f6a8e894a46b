package io.eyrie.fragment.leaf;

/** Why results of a leaf are not kept, so that it stays as Presto made it. */
public enum Refusal
{
    /** Other nodes than a partial aggregation over projections over a filter over a scan, in this order. */
    SHAPE,
    /** Nothing but columns is left to keep: the data cache does that. */
    BARE_SCAN,
    /** Grouping sets, a streaming or hashed aggregation, or another step than the partial one. */
    AGGREGATION_KIND,
    /** An aggregate with DISTINCT, ORDER BY or FILTER. */
    AGGREGATE_KIND,
    /** {@code random()} and the like. */
    NON_DETERMINISTIC,
    /** A function that is not implemented by the engine itself, but by a plugin or elsewhere: its name does not say what it does. */
    NOT_BUILT_IN,
    /** A lambda or a bound argument. */
    LAMBDA,
    /** A filter whose values another part of the same query collects. */
    DYNAMIC_FILTER,
    /** An expression of a kind that is not known here. */
    UNKNOWN_EXPRESSION,
    /** An enumeration, a distinct type, a plugin's type: its name does not say what it is. */
    TYPE,
    /** More nodes, deeper expressions or more bytes than {@link LeafReader} takes: the key and the layout that carries the leaf would cost too much. */
    TOO_LARGE,
    /** What the connector holds against it: a layout with a filter or an aggregation of its own. */
    LAYOUT,
    /** The engine or the connector threw while the leaf was planned. */
    FAILED,
}
