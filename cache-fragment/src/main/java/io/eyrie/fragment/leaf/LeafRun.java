// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.leaf;

import com.facebook.presto.common.Page;

import java.util.Iterator;

/** Runs a leaf fragment over the pages of one split. Used by one thread at a time. */
public interface LeafRun
{
    /**
     * Iterators of a run return this object in place of a page if there is no page yet: the caller returns its thread to the engine's scheduler before it
     * requests the next one.
     */
    Page NONE_YET = new Page(0);

    /** Takes a page of the split and returns the output that is complete, possibly none. */
    Iterator<Page> add(Page page);

    /** Returns the remaining output after the last page. Called once. */
    Iterator<Page> finish();

    long retainedBytes();
}
