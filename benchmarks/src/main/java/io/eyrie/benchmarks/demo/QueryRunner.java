// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.demo;

/** Runs and measures queries, one at a time. */
public interface QueryRunner
{
    /** Runs one of TPC-H's queries over the tables in {@code schema}, while nothing else runs. */
    QueryRun run(String schema, int query, RunMode mode);
}
