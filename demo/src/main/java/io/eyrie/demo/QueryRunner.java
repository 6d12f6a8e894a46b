// SPDX-License-Identifier: Apache-2.0
package io.eyrie.demo;

/** Runs and measures queries, one at a time. */
@FunctionalInterface
public interface QueryRunner
{
    /** Runs one of TPC-H's queries, while nothing else runs. Before a cold run, it drops what all layers have cached. */
    QueryRun run(int query, RunMode mode);
}
