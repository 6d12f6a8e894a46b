// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.join;

/** The reasons to leave the joins below an aggregation or a top-N as Presto planned them. */
public enum JoinRefusal
{
    /**
     * Nodes other than projections, filters, scans, inner, left, right and semi-joins by equality, aggregations of the small tables, and cross joins with those
     * that have no groups.
     */
    SHAPE("of the kinds of their plan nodes, such as a full or cross join, a union, or an aggregation of the large table below a join"),
    AGGREGATION("the aggregation above them has DISTINCT, ORDER BY, FILTER or grouping sets, or cannot be split into partial aggregations"),
    EXPRESSION("of an expression that may not be cached, such as random() or a function of a plugin"),
    /** A dynamic filter from a join outside of the tree. */
    DYNAMIC_FILTER("of a dynamic filter from another join"),
    CLOCK("of a value of the clock that is specific to one query"),
    TOO_LARGE("of too many or too deeply nested nodes or expressions, or too many files"),
    LAYOUT("the layout of a table already filters or aggregates"),
    DENIED("a rule excludes one of the tables from the cache"),
    WRITES("the statement writes"),
    SEEN_ONCE("the coordinator has not seen the joins before"),
    /** More than one table is too large to be held in memory by each worker. */
    LARGE_TABLES("more than one table exceeds the maximum size of a build side"),
    NOT_LISTED("the files of a table could not be listed in time"),
    OVER_MEMORY("the build sides of all workers would take more than half of query_max_total_memory"),
    FAILED("the engine or the connector threw an exception while planning them");

    private final String description;

    JoinRefusal(String description)
    {
        this.description = description;
    }

    /** Returns the end of a sentence that begins with "not joined because". */
    public String description()
    {
        return description;
    }
}
