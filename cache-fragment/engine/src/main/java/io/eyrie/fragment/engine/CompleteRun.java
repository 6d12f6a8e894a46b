// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.engine;

import com.facebook.presto.common.Page;
import com.facebook.presto.operator.InterpretedHashGenerator;
import io.eyrie.fragment.leaf.GroupPart;
import io.eyrie.fragment.leaf.LeafRun;

import java.util.Collections;
import java.util.Iterator;
import java.util.function.IntPredicate;

/** Groups and aggregates all rows, or those of some of the groups. Emits each group once, at the end, with the final values of its aggregates. */
final class CompleteRun
        implements LeafRun
{
    private final ProjectionStack projection;
    private final Groups groups;
    private final int[] keys;
    private final GroupPart part;
    private final InterpretedHashGenerator hashes;

    /** @param keys the channels of the keys in the projected pages */
    CompleteRun(ProjectionStack projection, Groups groups, int[] keys, GroupPart part, InterpretedHashGenerator hashes)
    {
        this.projection = projection;
        this.groups = groups;
        this.keys = keys.clone();
        this.part = part;
        this.hashes = hashes;
    }

    @Override
    public Iterator<Page> add(Page page)
    {
        projection.forEach(page, projected -> groups.add(part.equals(GroupPart.ALL) ? projected : ofPart(projected)));
        return Collections.emptyIterator();
    }

    private Page ofPart(Page page)
    {
        int[] positions = new int[page.getPositionCount()];
        int count = 0;
        IntPredicate wanted = part.wanted().map(some -> some.among(page.extractChannels(keys))).orElse(position -> true);
        for (int position = 0; position < positions.length; position++) {
            if (wanted.test(position) && part.contains(hashes.hashPosition(position, page))) {
                positions[count++] = position;
            }
        }
        // a copy: an aggregate such as max retains the blocks of its values, here those of the part instead of the whole dimension
        return page.copyPositions(positions, 0, count);
    }

    @Override
    public Iterator<Page> finish()
    {
        return groups.finalPages();
    }

    @Override
    public long retainedBytes()
    {
        return projection.retainedBytes() + groups.retainedBytes();
    }
}
