// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.engine;

import com.facebook.presto.common.Page;
import com.facebook.presto.common.PageBuilder;
import com.facebook.presto.operator.UpdateMemory;
import com.facebook.presto.operator.aggregation.AccumulatorFactory;
import com.facebook.presto.spi.function.aggregation.Accumulator;
import io.eyrie.fragment.leaf.LeafRun;

import java.util.Collections;
import java.util.Iterator;
import java.util.List;

/** Aggregates all rows into one row of intermediate or final values; produces that row even without input. */
final class GlobalRun
        implements LeafRun
{
    private final ProjectionStack projection;
    private final List<Accumulator> accumulators;
    private final boolean complete;

    /** @param complete whether the row has the final values */
    GlobalRun(ProjectionStack projection, List<AccumulatorFactory> factories, boolean complete)
    {
        this.projection = projection;
        this.accumulators = factories.stream().map(factory -> factory.createAccumulator(UpdateMemory.NOOP)).toList();
        this.complete = complete;
    }

    @Override
    public Iterator<Page> add(Page page)
    {
        projection.forEach(page, projected -> accumulators.forEach(accumulator -> accumulator.addInput(projected)));
        return Collections.emptyIterator();
    }

    @Override
    public Iterator<Page> finish()
    {
        PageBuilder builder = new PageBuilder(1, accumulators.stream()
                .map(accumulator -> complete ? accumulator.getFinalType() : accumulator.getIntermediateType())
                .toList());
        builder.declarePosition();
        for (int i = 0; i < accumulators.size(); i++) {
            if (complete) {
                accumulators.get(i).evaluateFinal(builder.getBlockBuilder(i));
            }
            else {
                accumulators.get(i).evaluateIntermediate(builder.getBlockBuilder(i));
            }
        }
        return List.of(builder.build()).iterator();
    }

    @Override
    public long retainedBytes()
    {
        return projection.retainedBytes() + accumulators.stream().mapToLong(Accumulator::getEstimatedSize).sum();
    }
}
