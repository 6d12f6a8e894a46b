// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.engine;

import com.facebook.presto.common.Page;
import com.facebook.presto.operator.JoinProbe;
import com.facebook.presto.operator.LookupJoinPageBuilder;
import com.facebook.presto.operator.LookupSource;
import io.eyrie.fragment.leaf.JoinKind;
import io.eyrie.fragment.leaf.JoinShape;
import io.eyrie.fragment.leaf.LeafRun;

import java.util.Collections;
import java.util.Iterator;
import java.util.OptionalInt;

/** Joins the pages of a split with a hash table of the build side: an inner or a left join. */
final class JoinRun
        implements LeafRun
{
    private final JoinShape join;
    private final LookupSource table;
    private final JoinProbe.JoinProbeFactory probes;

    JoinRun(JoinShape join, LookupSource table)
    {
        this.join = join;
        this.table = table;
        this.probes = new JoinProbe.JoinProbeFactory(
                EngineJoins.channels(join.probeOutputs()), join.probeKeys(), OptionalInt.empty());
    }

    @Override
    public Iterator<Page> add(Page page)
    {
        JoinProbe probe = probes.createJoinProbe(page.getLoadedPage());
        return new ProbeIterator(
                probe,
                table,
                new LookupJoinPageBuilder(join.buildOutputs().stream().map(join.build()::get).toList()),
                join.kind() == JoinKind.LEFT,
                position -> {});
    }

    @Override
    public Iterator<Page> finish()
    {
        return Collections.emptyIterator();
    }

    /* The table belongs to all splits, and an output page is bounded. */
    @Override
    public long retainedBytes()
    {
        return 0;
    }
}
