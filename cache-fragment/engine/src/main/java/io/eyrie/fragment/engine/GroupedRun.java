// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.engine;

import com.facebook.presto.common.Page;

import java.util.Collections;
import java.util.Iterator;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Groups and aggregates one split. When the groups use much memory, it emits them early, like the engine's partial aggregation: a group may come in
 * several pieces.
 */
final class GroupedRun
        implements Function<Optional<Page>, Iterator<Page>>, LongSupplier
{
    private static final long MAX_BYTES = 16 << 20;

    private final Projection projection;
    private final Groups groups;

    GroupedRun(Projection projection, Groups groups)
    {
        this.projection = projection;
        this.groups = groups;
    }

    @Override
    public Iterator<Page> apply(Optional<Page> input)
    {
        input.ifPresent(page -> projection.forEach(page, groups::add));
        return input.isEmpty() || groups.retainedBytes() > MAX_BYTES ? groups.take().iterator() : Collections.emptyIterator();
    }

    @Override
    public long getAsLong()
    {
        return projection.retainedBytes() + groups.retainedBytes();
    }
}
