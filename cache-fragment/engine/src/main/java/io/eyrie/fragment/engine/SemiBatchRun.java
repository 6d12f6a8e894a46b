// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.engine;

import com.facebook.presto.common.Page;
import com.facebook.presto.common.block.Block;
import com.facebook.presto.operator.ChannelSet;
import com.facebook.presto.operator.GroupByHash;
import com.google.common.collect.AbstractIterator;
import io.eyrie.fragment.leaf.GroupPart;
import io.eyrie.fragment.leaf.JoinShape;
import io.eyrie.fragment.leaf.LeafRun;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A semi-join with a build side that does not fit into memory: collects pages of the split, and then reads the build side for the keys of these pages
 * only. The set that it makes is at most as large as theirs.
 */
final class SemiBatchRun
        implements LeafRun
{
    private final JoinShape join;
    private final Optional<Integer> groupKey;
    private final Function<GroupPart, Iterator<Page>> build;
    private final long batchBytes;
    private final EngineJoins joins;
    private List<Page> pages = new ArrayList<>();
    // of the pages collected, and of the batch whose keys are looked for now, without the sets
    private long collectedBytes;
    private long joiningBytes;
    private @Nullable BatchIterator joining;

    /** @param groupKey which of the grouping keys is the key of the build side, if its rows are groups */
    SemiBatchRun(JoinShape join, Optional<Integer> groupKey, Function<GroupPart, Iterator<Page>> build, long batchBytes, EngineJoins joins)
    {
        this.join = join;
        this.groupKey = groupKey;
        this.build = build;
        this.batchBytes = batchBytes;
        this.joins = joins;
    }

    @Override
    public Iterator<Page> add(Page page)
    {
        Page compact = EngineJoins.compact(page);
        pages.add(compact);
        collectedBytes += compact.getRetainedSizeInBytes();
        return collectedBytes < batchBytes ? Collections.emptyIterator() : joined();
    }

    @Override
    public Iterator<Page> finish()
    {
        return pages.isEmpty() ? Collections.emptyIterator() : joined();
    }

    private Iterator<Page> joined()
    {
        BatchIterator batch = new BatchIterator(pages);
        joining = batch;
        joiningBytes = collectedBytes;
        collectedBytes = 0;
        pages = new ArrayList<>();
        return batch;
    }

    @Override
    public long retainedBytes()
    {
        return collectedBytes + joiningBytes + (joining == null ? 0 : joining.setBytes());
    }

    /** The pages of one batch, after the build side was read one page at a time. */
    private final class BatchIterator
            extends AbstractIterator<Page>
    {
        private final List<Page> batch;
        private final int buildKey = join.buildKeys().get(0);
        private final GroupByHash wanted;
        private final GroupByHash found;
        private @Nullable Iterator<Page> reading;
        private @Nullable Iterator<Page> flagged;
        private boolean empty = true;
        private boolean containsNull;

        BatchIterator(List<Page> batch)
        {
            this.batch = batch;
            int probeKey = join.probeKeys().get(0);
            this.wanted = joins.keys(join.probe().get(probeKey));
            this.found = joins.keys(join.build().get(buildKey));
            batch.forEach(page -> EngineJoins.add(wanted, page.getBlock(probeKey)));
        }

        @Override
        protected @Nullable Page computeNext()
        {
            Iterator<Page> side = reading == null ? build.apply(part()) : reading;
            reading = side;
            if (side.hasNext()) {
                Page page = side.next();
                if (page != NONE_YET) {
                    search(page.getBlock(buildKey).getLoadedBlock());
                }
                return NONE_YET;
            }
            Iterator<Page> output = flagged == null ? flagged() : flagged;
            flagged = output;
            if (output.hasNext()) {
                return output.next();
            }
            joining = null;
            joiningBytes = 0;
            return endOfData();
        }

        /* Other groups than those of the wanted keys, and of NULL, decide only whether the build side is empty, which matters only to NULL. */
        private GroupPart part()
        {
            if (groupKey.isEmpty() || batch.stream().anyMatch(page -> EngineJoins.hasNull(page.getBlock(join.probeKeys().get(0))))) {
                return GroupPart.ALL;
            }
            int place = groupKey.get();
            return GroupPart.of(keys -> {
                Block key = keys.getBlock(place).getLoadedBlock();
                return position -> key.isNull(position) || EngineJoins.contains(wanted, key, position);
            });
        }

        private void search(Block block)
        {
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

        private Iterator<Page> flagged()
        {
            ChannelSet set = EngineJoins.set(found, containsNull);
            return batch.stream().map(page -> SemiRun.flagged(join, page, set, empty)).iterator();
        }

        long setBytes()
        {
            return wanted.getEstimatedSize() + found.getEstimatedSize();
        }
    }
}
