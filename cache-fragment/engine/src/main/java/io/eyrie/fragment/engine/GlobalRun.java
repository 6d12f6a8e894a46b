// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.engine;

import com.facebook.presto.common.Page;
import com.facebook.presto.common.PageBuilder;
import com.facebook.presto.operator.UpdateMemory;
import com.facebook.presto.operator.aggregation.AccumulatorFactory;
import com.facebook.presto.spi.function.aggregation.Accumulator;
import com.facebook.presto.spi.plan.AggregationNode.Step;
import io.eyrie.fragment.leaf.LeafRun;

import java.util.Collections;
import java.util.Iterator;
import java.util.List;

/** Aggregates all rows, or merges all states, into one row of intermediate or final values; produces that row even without input. */
final class GlobalRun
        implements LeafRun
{
    private final ProjectionStack projection;
    private final List<AccumulatorFactory> factories;
    private final List<Accumulator> accumulators;
    private final Step step;

    GlobalRun(ProjectionStack projection, List<AccumulatorFactory> factories, Step step)
    {
        this.projection = projection;
        this.factories = factories;
        this.accumulators = factories.stream()
                .map(factory -> step.isInputRaw() ? factory.createAccumulator(UpdateMemory.NOOP) : factory.createIntermediateAccumulator())
                .toList();
        this.step = step;
    }

    @Override
    public Iterator<Page> add(Page page)
    {
        projection.forEach(page, this::aggregate);
        return Collections.emptyIterator();
    }

    private void aggregate(Page page)
    {
        for (int i = 0; i < accumulators.size(); i++) {
            if (step.isInputRaw()) {
                accumulators.get(i).addInput(page);
            }
            else {
                accumulators.get(i).addIntermediate(page.getBlock(factories.get(i).getInputChannels().get(0)));
            }
        }
    }

    @Override
    public Iterator<Page> finish()
    {
        PageBuilder builder = new PageBuilder(1, accumulators.stream()
                .map(accumulator -> step.isOutputPartial() ? accumulator.getIntermediateType() : accumulator.getFinalType())
                .toList());
        builder.declarePosition();
        for (int i = 0; i < accumulators.size(); i++) {
            if (step.isOutputPartial()) {
                accumulators.get(i).evaluateIntermediate(builder.getBlockBuilder(i));
            }
            else {
                accumulators.get(i).evaluateFinal(builder.getBlockBuilder(i));
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
