// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.engine;

import com.facebook.presto.common.Page;
import com.facebook.presto.common.PageBuilder;
import com.facebook.presto.common.block.BlockBuilder;
import com.facebook.presto.common.type.Type;
import com.facebook.presto.operator.GroupByHash;
import com.facebook.presto.operator.UpdateMemory;
import com.facebook.presto.operator.Work;
import com.facebook.presto.operator.aggregation.AccumulatorFactory;
import com.facebook.presto.spi.function.aggregation.GroupByIdBlock;
import com.facebook.presto.spi.function.aggregation.GroupedAccumulator;
import com.facebook.presto.spi.plan.AggregationNode.Step;
import com.facebook.presto.sql.gen.JoinCompiler;
import com.google.common.collect.AbstractIterator;
import com.google.common.collect.ImmutableList;
import org.jspecify.annotations.Nullable;

import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Groups and the intermediate values of their aggregates, until they are taken. Used by one thread. */
final class Groups
{
    private static final int EXPECTED_GROUPS = 1000;

    private final List<Type> keyTypes;
    private final int[] keyChannels;
    private final List<AccumulatorFactory> factories;
    private final List<Type> types;
    private final JoinCompiler joins;
    private final Step step;
    private GroupByHash hash;
    private List<GroupedAccumulator> accumulators;

    Groups(List<Type> keyTypes, int[] keyChannels, List<AccumulatorFactory> factories, List<Type> intermediates, JoinCompiler joins, Step step)
    {
        this.step = step;
        this.keyTypes = keyTypes;
        this.keyChannels = keyChannels.clone();
        this.factories = factories;
        this.types = Stream.concat(keyTypes.stream(), intermediates.stream()).toList();
        this.joins = joins;
        this.hash = hash();
        this.accumulators = accumulators();
    }

    private GroupByHash hash()
    {
        return GroupByHash.createGroupByHash(keyTypes, keyChannels, Optional.empty(), EXPECTED_GROUPS, true, joins, UpdateMemory.NOOP);
    }

    private List<GroupedAccumulator> accumulators()
    {
        return factories.stream().map(factory -> step.isInputRaw()
                ? factory.createGroupedAccumulator(UpdateMemory.NOOP)
                : factory.createGroupedIntermediateAccumulator(UpdateMemory.NOOP)).toList();
    }

    void add(Page page)
    {
        if (accumulators.isEmpty()) {
            done(hash.addPage(page));
            return;
        }
        Work<GroupByIdBlock> work = hash.getGroupIds(page);
        done(work);
        GroupByIdBlock groups = work.getResult();
        for (int i = 0; i < accumulators.size(); i++) {
            if (step.isInputRaw()) {
                accumulators.get(i).addInput(groups, page);
            }
            else {
                accumulators.get(i).addIntermediate(groups, page.getBlock(factories.get(i).getInputChannels().get(0)));
            }
        }
    }

    long retainedBytes()
    {
        return hash.getEstimatedSize() + accumulators.stream().mapToLong(GroupedAccumulator::getEstimatedSize).sum();
    }

    /** Returns all groups with their current values, and clears them. */
    List<Page> take()
    {
        List<Page> pages = ImmutableList.copyOf(pages(types, GroupedAccumulator::evaluateIntermediate));
        hash = hash();
        accumulators = accumulators();
        return pages;
    }

    /** Returns all groups with the final values of their aggregates. Called once, after the last row. */
    Iterator<Page> finalPages()
    {
        accumulators.forEach(GroupedAccumulator::prepareFinal);
        return pages(
                Stream.concat(keyTypes.stream(), accumulators.stream().map(GroupedAccumulator::getFinalType)).toList(),
                GroupedAccumulator::evaluateFinal);
    }

    /** Writes the value of an accumulator for a group. */
    private interface Evaluation
    {
        void evaluate(GroupedAccumulator accumulator, int group, BlockBuilder output);
    }

    private Iterator<Page> pages(List<Type> pageTypes, Evaluation evaluation)
    {
        return new AbstractIterator<>() {
            private final PageBuilder builder = new PageBuilder(pageTypes);
            private int group;

            @Override
            protected @Nullable Page computeNext()
            {
                builder.reset();
                for (; group < hash.getGroupCount() && !builder.isFull(); group++) {
                    builder.declarePosition();
                    hash.appendValuesTo(group, builder, 0);
                    for (int i = 0; i < accumulators.size(); i++) {
                        evaluation.evaluate(accumulators.get(i), group, builder.getBlockBuilder(keyTypes.size() + i));
                    }
                }
                return builder.isEmpty() ? endOfData() : builder.build();
            }
        };
    }

    static void done(Work<?> work)
    {
        if (!work.process()) {
            throw new IllegalStateException("The work stopped to wait for memory, although memory is always granted");
        }
    }
}
