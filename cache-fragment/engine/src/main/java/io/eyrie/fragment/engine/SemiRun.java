// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.engine;

import com.facebook.presto.common.Page;
import com.facebook.presto.common.block.Block;
import com.facebook.presto.common.block.BlockBuilder;
import com.facebook.presto.operator.ChannelSet;
import io.eyrie.fragment.leaf.JoinShape;
import io.eyrie.fragment.leaf.LeafRun;

import java.util.Collections;
import java.util.Iterator;
import java.util.List;

import static com.facebook.presto.common.type.BooleanType.BOOLEAN;

/** Adds to the pages of a split whether a set contains their keys, by the rules of SQL's IN. */
final class SemiRun
        implements LeafRun
{
    private final JoinShape join;
    private final ChannelSet set;
    private final boolean empty;

    /** @param empty whether the build side has no row, not even one with NULL */
    SemiRun(JoinShape join, ChannelSet set, boolean empty)
    {
        this.join = join;
        this.set = set;
        this.empty = empty;
    }

    @Override
    public Iterator<Page> add(Page page)
    {
        return List.of(flagged(join, page, set, empty)).iterator();
    }

    static Page flagged(JoinShape join, Page page, ChannelSet set, boolean empty)
    {
        Page loaded = page.getLoadedPage();
        Block keys = loaded.getBlock(join.probeKeys().get(0));
        Page key = new Page(keys);
        BlockBuilder flags = BOOLEAN.createFixedSizeBlockBuilder(loaded.getPositionCount());
        for (int position = 0; position < loaded.getPositionCount(); position++) {
            if (empty) {
                BOOLEAN.writeBoolean(flags, false);
            }
            else if (keys.isNull(position)) {
                flags.appendNull();
            }
            else if (set.contains(position, key)) {
                BOOLEAN.writeBoolean(flags, true);
            }
            else if (set.containsNull()) {
                flags.appendNull();
            }
            else {
                BOOLEAN.writeBoolean(flags, false);
            }
        }
        return loaded.extractChannels(EngineJoins.channels(join.probeOutputs())).appendColumn(flags.build());
    }

    @Override
    public Iterator<Page> finish()
    {
        return Collections.emptyIterator();
    }

    @Override
    public long retainedBytes()
    {
        return 0;
    }
}
