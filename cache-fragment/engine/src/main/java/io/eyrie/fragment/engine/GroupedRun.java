// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.engine;

import com.facebook.presto.common.Page;
import io.eyrie.fragment.leaf.LeafRun;

import java.util.Collections;
import java.util.Iterator;

/**
 * Groups and aggregates one split. When the groups use much memory, it emits them early, like the engine's partial aggregation: a group may come in
 * several pieces.
 */
final class GroupedRun
        implements LeafRun
{
    private static final long MAX_BYTES = 16 << 20;

    private final ProjectionStack projection;
    private final Groups groups;

    GroupedRun(ProjectionStack projection, Groups groups)
    {
        this.projection = projection;
        this.groups = groups;
    }

    @Override
    public Iterator<Page> add(Page page)
    {
        projection.forEach(page, groups::add);
        return groups.retainedBytes() > MAX_BYTES ? finish() : Collections.emptyIterator();
    }

    @Override
    public Iterator<Page> finish()
    {
        return groups.take().iterator();
    }

    @Override
    public long retainedBytes()
    {
        return projection.retainedBytes() + groups.retainedBytes();
    }
}
