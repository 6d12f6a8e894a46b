// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.leaf;

import com.facebook.presto.common.Page;

/** Collects the rows of a join's build side. Used by one thread at a time. */
public interface JoinBuild
{
    void add(Page page);

    /** Returns an upper estimate of the memory of the finished table, with the rows added so far. */
    long retainedBytes();

    /** Returns the table of all rows. Called once. */
    JoinTable finish();
}
