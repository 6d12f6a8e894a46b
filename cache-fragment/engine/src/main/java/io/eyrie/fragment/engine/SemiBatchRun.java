// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.engine;

import com.facebook.presto.common.Page;
import com.facebook.presto.common.block.Block;
import com.facebook.presto.operator.ChannelSet;
import com.facebook.presto.operator.GroupByHash;
import io.eyrie.fragment.leaf.JoinShape;
import io.eyrie.fragment.leaf.LeafRun;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;

/**
 * A semi-join with a build side that does not fit into memory: collects pages of the split, and then reads the build side for the keys of these pages
 * only. The set that it makes is at most as large as theirs.
 */
final class SemiBatchRun
        implements LeafRun
{
    private final JoinShape join;
    private final Supplier<Iterator<Page>> build;
    private final long batchBytes;
    private final EngineJoins joins;
    private final List<Page> batch = new ArrayList<>();
    private long heldBytes;

    SemiBatchRun(JoinShape join, Supplier<Iterator<Page>> build, long batchBytes, EngineJoins joins)
    {
        this.join = join;
        this.build = build;
        this.batchBytes = batchBytes;
        this.joins = joins;
    }

    @Override
    public Iterator<Page> add(Page page)
    {
        Page compact = EngineJoins.compact(page);
        batch.add(compact);
        heldBytes += compact.getRetainedSizeInBytes();
        return heldBytes < batchBytes ? Collections.emptyIterator() : joined();
    }

    @Override
    public Iterator<Page> finish()
    {
        return batch.isEmpty() ? Collections.emptyIterator() : joined();
    }

    private Iterator<Page> joined()
    {
        int probeKey = join.probeKeys().get(0);
        int buildKey = join.buildKeys().get(0);
        GroupByHash wanted = joins.keys(join.probe().get(probeKey));
        batch.forEach(page -> EngineJoins.add(wanted, page.getBlock(probeKey)));
        GroupByHash found = joins.keys(join.build().get(buildKey));
        boolean empty = true;
        boolean containsNull = false;
        Iterator<Page> pages = build.get();
        while (pages.hasNext()) {
            Block block = pages.next().getBlock(buildKey).getLoadedBlock();
            empty &= block.getPositionCount() == 0;
            containsNull |= EngineJoins.hasNull(block);
            int[] positions = new int[block.getPositionCount()];
            int count = 0;
            for (int position = 0; position < positions.length; position++) {
                if (!block.isNull(position) && EngineJoins.contains(wanted, block, position)) {
                    positions[count++] = position;
                }
            }
            if (count > 0) {
                EngineJoins.add(found, block.copyPositions(positions, 0, count));
            }
        }
        ChannelSet set = EngineJoins.set(found, containsNull);
        boolean none = empty;
        List<Page> taken = List.copyOf(batch);
        batch.clear();
        heldBytes = 0;
        return taken.stream().map(page -> SemiRun.flagged(join, page, set, none)).iterator();
    }

    @Override
    public long retainedBytes()
    {
        return heldBytes;
    }
}
