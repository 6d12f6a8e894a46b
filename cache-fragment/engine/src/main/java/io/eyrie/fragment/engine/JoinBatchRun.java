// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.engine;

import com.facebook.presto.common.Page;
import com.facebook.presto.common.PageBuilder;
import com.facebook.presto.common.type.Type;
import com.facebook.presto.operator.JoinProbe;
import com.facebook.presto.operator.LookupJoinPageBuilder;
import com.facebook.presto.operator.LookupSource;
import com.facebook.presto.operator.PagesIndex;
import com.google.common.collect.AbstractIterator;
import io.eyrie.fragment.leaf.GroupPart;
import io.eyrie.fragment.leaf.JoinKind;
import io.eyrie.fragment.leaf.JoinShape;
import io.eyrie.fragment.leaf.LeafRun;
import org.jspecify.annotations.Nullable;

import java.util.BitSet;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * An inner or left join with a build side that does not fit into memory: collects pages of the split in a hash table, and reads the build side past it.
 * Its memory does not depend on the build side.
 */
final class JoinBatchRun
        implements LeafRun
{
    private final JoinShape join;
    private final Function<GroupPart, Iterator<Page>> build;
    private final long batchBytes;
    private final Supplier<PagesIndex> indexes;
    private final Function<PagesIndex, LookupSource> tables;
    private final Function<PagesIndex, GroupPart> groups;
    private PagesIndex rows;
    // of the pages collected, and of the batch that is joined now
    private long collectedBytes;
    private long joiningBytes;

    /**
     * @param indexes creates an index for rows of the probe side
     * @param tables creates the hash table of an index
     * @param groups returns the groups of the build side that may match the rows of an index
     */
    JoinBatchRun(JoinShape join, Function<GroupPart, Iterator<Page>> build, long batchBytes, Supplier<PagesIndex> indexes,
            Function<PagesIndex, LookupSource> tables, Function<PagesIndex, GroupPart> groups)
    {
        this.join = join;
        this.build = build;
        this.batchBytes = batchBytes;
        this.indexes = indexes;
        this.tables = tables;
        this.groups = groups;
        this.rows = indexes.get();
    }

    @Override
    public Iterator<Page> add(Page page)
    {
        Page compact = EngineJoins.compact(page);
        rows.addPage(compact);
        collectedBytes += compact.getRetainedSizeInBytes() + EngineJoins.ROW_BYTES * compact.getPositionCount();
        return collectedBytes < batchBytes ? Collections.emptyIterator() : joined();
    }

    @Override
    public Iterator<Page> finish()
    {
        return rows.getPositionCount() == 0 ? Collections.emptyIterator() : joined();
    }

    private Iterator<Page> joined()
    {
        PagesIndex batch = rows;
        joiningBytes = collectedBytes;
        collectedBytes = 0;
        rows = indexes.get();
        GroupPart part = groups.apply(batch);
        if (part.wanted().isPresent()) {
            joiningBytes += EngineJoins.TABLE_BYTES_PER_ROW * batch.getPositionCount();
        }
        return new BatchIterator(tables.apply(batch), batch.getPositionCount(), part);
    }

    @Override
    public long retainedBytes()
    {
        return collectedBytes + joiningBytes;
    }

    /** The rows of one batch: the matches, for one page of the build side at a time, then the rows without a match. */
    private final class BatchIterator
            extends AbstractIterator<Page>
    {
        private final LookupSource batch;
        private final int rowCount;
        private final GroupPart part;
        private final BitSet matched = new BitSet();
        private final List<Type> probeTypes = join.probeOutputs().stream().map(join.probe()::get).toList();
        private final List<Type> buildTypes = join.buildOutputs().stream().map(join.build()::get).toList();
        private final JoinProbe.JoinProbeFactory probes = new JoinProbe.JoinProbeFactory(
                EngineJoins.channels(join.buildOutputs()), join.buildKeys(), OptionalInt.empty());
        private final int[] order = IntStream.concat(
                IntStream.range(buildTypes.size(), buildTypes.size() + probeTypes.size()),
                IntStream.range(0, buildTypes.size())).toArray();
        private @Nullable Iterator<Page> reading;
        private Iterator<Page> matches = Collections.emptyIterator();
        private int unmatched;

        BatchIterator(LookupSource batch, int rowCount, GroupPart part)
        {
            this.part = part;
            this.batch = batch;
            this.rowCount = rowCount;
        }

        @Override
        protected @Nullable Page computeNext()
        {
            if (matches.hasNext()) {
                return matches.next().extractChannels(order);
            }
            Iterator<Page> pages = reading == null ? build.apply(part) : reading;
            reading = pages;
            if (pages.hasNext()) {
                Page page = pages.next();
                if (page != NONE_YET) {
                    matches = new ProbeIterator(
                            probes.createJoinProbe(page.getLoadedPage()),
                            batch,
                            new LookupJoinPageBuilder(probeTypes),
                            false,
                            position -> matched.set((int) position));
                }
                return NONE_YET;
            }
            Page rest = join.kind() == JoinKind.LEFT ? withoutMatch() : null;
            if (rest == null) {
                joiningBytes = 0;
                return endOfData();
            }
            return rest;
        }

        private @Nullable Page withoutMatch()
        {
            PageBuilder output = new PageBuilder(Stream.concat(probeTypes.stream(), buildTypes.stream()).toList());
            for (unmatched = matched.nextClearBit(unmatched); unmatched < rowCount && !output.isFull(); unmatched = matched.nextClearBit(unmatched
                    + 1)) {
                output.declarePosition();
                batch.appendTo(unmatched, output, 0);
                for (int channel = 0; channel < buildTypes.size(); channel++) {
                    output.getBlockBuilder(probeTypes.size() + channel).appendNull();
                }
            }
            return output.isEmpty() ? null : output.build();
        }
    }
}
