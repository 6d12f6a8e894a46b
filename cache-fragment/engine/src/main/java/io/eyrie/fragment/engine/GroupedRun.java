// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.engine;

import com.facebook.presto.common.Page;
import io.eyrie.fragment.leaf.LeafRun;

import java.util.Collections;
import java.util.Iterator;

/**
 * Groups and aggregates one split. When the groups use more than {@code maxBytes}, it emits them early, like the engine's partial aggregation: a group
 * may come in several pieces.
 */
final class GroupedRun
        implements LeafRun
{
    private final ProjectionStack projection;
    private final Groups groups;
    private final long maxBytes;

    GroupedRun(ProjectionStack projection, Groups groups, long maxBytes)
    {
        this.projection = projection;
        this.groups = groups;
        this.maxBytes = maxBytes;
    }

    @Override
    public Iterator<Page> add(Page page)
    {
        projection.forEach(page, groups::add);
        return groups.retainedBytes() > maxBytes ? finish() : Collections.emptyIterator();
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
