// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.engine;

import com.facebook.presto.common.Page;
import com.facebook.presto.common.type.Type;
import com.facebook.presto.operator.GroupedTopNBuilder;
import com.facebook.presto.operator.InMemoryGroupedTopNBuilder;
import com.facebook.presto.operator.NoChannelGroupByHash;
import com.facebook.presto.operator.SimplePageWithPositionComparator;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import io.eyrie.fragment.leaf.Leaf.Order;
import io.eyrie.fragment.leaf.Leaf.Top;
import io.eyrie.fragment.leaf.LeafRun;

import java.util.Collections;
import java.util.Iterator;
import java.util.List;

import static com.facebook.presto.memory.context.AggregatedMemoryContext.newSimpleAggregatedMemoryContext;
import static java.lang.Math.toIntExact;

/** Filters and projects one split, and returns the first of its rows in an order. */
final class TopRun
        implements LeafRun
{
    private final ProjectionStack projection;
    private final GroupedTopNBuilder rows;

    TopRun(ProjectionStack projection, List<VariableReferenceExpression> outputs, Top top)
    {
        this.projection = projection;
        List<Type> types = outputs.stream().map(VariableReferenceExpression::getType).toList();
        this.rows = new InMemoryGroupedTopNBuilder(
                types,
                new SimplePageWithPositionComparator(
                        types,
                        top.orders().stream().map(order -> outputs.indexOf(order.output())).toList(),
                        top.orders().stream().map(Order::order).toList()),
                toIntExact(top.count()),
                false,
                newSimpleAggregatedMemoryContext().newLocalMemoryContext(TopRun.class.getSimpleName()),
                new NoChannelGroupByHash());
    }

    @Override
    public Iterator<Page> add(Page page)
    {
        // rows are kept beyond the next page of the split, after which its blocks can no longer be loaded
        projection.forEach(page, output -> Groups.done(rows.processPage(output.getLoadedPage())));
        return Collections.emptyIterator();
    }

    @Override
    public Iterator<Page> finish()
    {
        return rows.buildResult().iterator();
    }

    @Override
    public long retainedBytes()
    {
        return projection.retainedBytes() + rows.getEstimatedSizeInBytes();
    }
}
