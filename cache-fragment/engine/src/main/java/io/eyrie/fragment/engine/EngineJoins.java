// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.engine;

import com.facebook.presto.FullConnectorSession;
import com.facebook.presto.Session;
import com.facebook.presto.common.Page;
import com.facebook.presto.common.block.Block;
import com.facebook.presto.common.type.Type;
import com.facebook.presto.metadata.Metadata;
import com.facebook.presto.operator.ChannelSet;
import com.facebook.presto.operator.GroupByHash;
import com.facebook.presto.operator.LookupSource;
import com.facebook.presto.operator.LookupSourceSupplier;
import com.facebook.presto.operator.PagesIndex;
import com.facebook.presto.operator.UpdateMemory;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.sql.analyzer.FeaturesConfig;
import com.facebook.presto.sql.gen.JoinCompiler;
import com.facebook.presto.sql.gen.JoinFilterFunctionCompiler.JoinFilterFunctionFactory;
import com.facebook.presto.sql.gen.OrderingCompiler;
import io.eyrie.fragment.leaf.GroupPart;
import io.eyrie.fragment.leaf.JoinBuild;
import io.eyrie.fragment.leaf.JoinKind;
import io.eyrie.fragment.leaf.JoinShape;
import io.eyrie.fragment.leaf.JoinTable;
import io.eyrie.fragment.leaf.LeafRun;
import io.eyrie.fragment.leaf.WantedGroups;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/** Makes build sides and runs of joins from the engine's own hash tables, whose equality of keys they therefore share. Thread-safe. */
final class EngineJoins
{
    private static final int EXPECTED_POSITIONS = 10_000;
    private static final int[] KEY = {0};
    // the hash array at its load factor, a byte of each hash, and the links of duplicates
    static final long TABLE_BYTES_PER_ROW = 24;
    /** The address of a row, and its share of the hash table. */
    static final long ROW_BYTES = 8 + TABLE_BYTES_PER_ROW;

    private final JoinCompiler joins;
    private final PagesIndex.Factory indexes;

    EngineJoins(Metadata metadata, JoinCompiler joins)
    {
        this.joins = joins;
        this.indexes = new PagesIndex.DefaultFactory(new OrderingCompiler(), joins, new FeaturesConfig(), metadata);
    }

    /** @param filter the conditions on a row of the table and a row of the probe side */
    JoinBuild build(JoinShape join, Optional<JoinFilterFunctionFactory> filter, ConnectorSession session)
    {
        return join.kind() == JoinKind.SEMI ? new KeySetBuild(join) : new HashBuild(join, filter, sessionOf(session));
    }

    /** @param filter the conditions on a collected row of the probe side and a row of the build side */
    LeafRun streamed(JoinShape join, Optional<JoinFilterFunctionFactory> filter, Map<Integer, Integer> groupKeys,
            Function<GroupPart, Iterator<Page>> build, long batchBytes, ConnectorSession session)
    {
        if (join.kind() == JoinKind.SEMI) {
            return new SemiBatchRun(join, Optional.ofNullable(groupKeys.get(0)), build, batchBytes, this);
        }
        Session whole = sessionOf(session);
        return new JoinBatchRun(
                join,
                build,
                batchBytes,
                () -> indexes.newPagesIndex(join.probe(), EXPECTED_POSITIONS),
                rows -> lookup(rows, join.probeKeys(), join.probeOutputs(), filter, whole).get(),
                rows -> groupKeys.isEmpty() ? GroupPart.ALL : GroupPart.of(wanted(rows, join, groupKeys, whole)));
    }

    /* The keys are compared as the join compares them, without its condition, which may need the aggregates. */
    private static WantedGroups wanted(PagesIndex rows, JoinShape join, Map<Integer, Integer> groupKeys, Session session)
    {
        List<Integer> keys = List.copyOf(groupKeys.keySet());
        int[] places = keys.stream().mapToInt(groupKeys::get).toArray();
        LookupSource table = lookup(rows, keys.stream().map(join.probeKeys()::get).toList(), join.probeOutputs(), Optional.empty(), session).get();
        return groups -> {
            Page own = groups.extractChannels(places).getLoadedPage();
            return position -> isComplete(own, position) && table.getJoinPosition(position, own, own) >= 0;
        };
    }

    private static boolean isComplete(Page keys, int position)
    {
        for (int channel = 0; channel < keys.getChannelCount(); channel++) {
            if (keys.getBlock(channel).isNull(position)) {
                return false;
            }
        }
        return true;
    }

    static Session sessionOf(ConnectorSession session)
    {
        return ((FullConnectorSession) session).getSession();
    }

    GroupByHash keys(Type type)
    {
        return GroupByHash.createGroupByHash(List.of(type), KEY, Optional.empty(), EXPECTED_POSITIONS, true, joins, UpdateMemory.NOOP);
    }

    /** Adds the keys of a block, including NULL. */
    static void add(GroupByHash keys, Block block)
    {
        if (!keys.addPage(new Page(block)).process()) {
            throw new IllegalStateException("The work stopped to wait for memory, although memory is always granted");
        }
    }

    static boolean contains(GroupByHash keys, Block block, int position)
    {
        return keys.contains(position, new Page(block), KEY);
    }

    static ChannelSet set(GroupByHash keys, boolean containsNull)
    {
        return new ChannelSet(keys, containsNull, KEY);
    }

    /** Returns a page that retains only its own rows, so that its size is theirs. */
    static Page compact(Page page)
    {
        Block[] blocks = new Block[page.getChannelCount()];
        for (int i = 0; i < blocks.length; i++) {
            blocks[i] = page.getBlock(i).getLoadedBlock().copyRegion(0, page.getPositionCount());
        }
        return new Page(page.getPositionCount(), blocks);
    }

    static int[] channels(List<Integer> channels)
    {
        return channels.stream().mapToInt(Integer::intValue).toArray();
    }

    private static LookupSourceSupplier lookup(PagesIndex rows, List<Integer> keys, List<Integer> outputs, Optional<JoinFilterFunctionFactory> filter,
            Session session)
    {
        return rows.createLookupSourceSupplier(session, keys, OptionalInt.empty(), filter, Optional.empty(), List.of(), Optional.of(outputs));
    }

    private final class HashBuild
            implements JoinBuild
    {
        private final JoinShape join;
        private final Optional<JoinFilterFunctionFactory> filter;
        private final Session session;
        private final PagesIndex rows;
        private long pageBytes;

        HashBuild(JoinShape join, Optional<JoinFilterFunctionFactory> filter, Session session)
        {
            this.join = join;
            this.filter = filter;
            this.session = session;
            this.rows = indexes.newPagesIndex(join.build(), EXPECTED_POSITIONS);
        }

        @Override
        public void add(Page page)
        {
            Page compact = compact(page);
            rows.addPage(compact);
            pageBytes += compact.getRetainedSizeInBytes();
        }

        @Override
        public long retainedBytes()
        {
            return pageBytes + ROW_BYTES * rows.getPositionCount();
        }

        @Override
        public JoinTable finish()
        {
            LookupSourceSupplier table = lookup(rows, join.buildKeys(), join.buildOutputs(), filter, session);
            return () -> new JoinRun(join, table.get());
        }
    }

    private final class KeySetBuild
            implements JoinBuild
    {
        private final JoinShape join;
        private final GroupByHash keys;
        private boolean containsNull;

        KeySetBuild(JoinShape join)
        {
            this.join = join;
            this.keys = keys(join.build().get(join.buildKeys().get(0)));
        }

        @Override
        public void add(Page page)
        {
            Block block = page.getBlock(join.buildKeys().get(0)).getLoadedBlock();
            containsNull |= hasNull(block);
            EngineJoins.add(keys, block);
        }

        @Override
        public long retainedBytes()
        {
            return keys.getEstimatedSize();
        }

        @Override
        public JoinTable finish()
        {
            ChannelSet set = set(keys, containsNull);
            boolean empty = keys.getGroupCount() == 0;
            return () -> new SemiRun(join, set, empty);
        }
    }

    static boolean hasNull(Block block)
    {
        if (block.mayHaveNull()) {
            for (int position = 0; position < block.getPositionCount(); position++) {
                if (block.isNull(position)) {
                    return true;
                }
            }
        }
        return false;
    }
}
