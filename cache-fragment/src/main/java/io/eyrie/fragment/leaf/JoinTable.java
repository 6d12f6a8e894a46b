// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.leaf;

/** The build side of a join, in memory. Thread-safe. */
public interface JoinTable
{
    /** Returns a run that joins the pages of one split with this table. The run does not count the table's memory. */
    LeafRun probe();
}
