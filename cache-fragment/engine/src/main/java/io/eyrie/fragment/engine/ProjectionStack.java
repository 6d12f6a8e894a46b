// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.engine;

import com.facebook.presto.common.Page;
import com.facebook.presto.common.function.SqlFunctionProperties;
import com.facebook.presto.memory.context.LocalMemoryContext;
import com.facebook.presto.operator.DriverYieldSignal;
import com.facebook.presto.operator.project.PageProcessor;

import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Consumer;

import static com.facebook.presto.memory.context.AggregatedMemoryContext.newSimpleAggregatedMemoryContext;

/** The engine's compiled filter and stacked projections over one split. Used by one thread. */
final class ProjectionStack
{
    private final List<CompiledLevel> levels;

    /** @param yieldSignal never set: each page is processed without interruption */
    private record CompiledLevel(PageProcessor processor, SqlFunctionProperties properties, DriverYieldSignal yieldSignal, LocalMemoryContext memory)
    {
        Iterator<Optional<Page>> process(Page page)
        {
            return processor.process(properties, yieldSignal, memory, page);
        }
    }

    /** @param processors at least one; each takes the pages of the previous one */
    ProjectionStack(List<PageProcessor> processors, SqlFunctionProperties properties)
    {
        this.levels = processors.stream()
                .map(processor -> new CompiledLevel(
                        processor,
                        properties,
                        new DriverYieldSignal(),
                        newSimpleAggregatedMemoryContext().newLocalMemoryContext(ProjectionStack.class.getSimpleName())))
                .toList();
    }

    Iterator<Optional<Page>> pages(Page input)
    {
        Iterator<Optional<Page>> pages = levels.get(0).process(input);
        for (CompiledLevel level : levels.subList(1, levels.size())) {
            pages = new LevelOutput(pages, level);
        }
        return pages;
    }

    /** The output of one level over the pages of the level below. */
    private static final class LevelOutput
            implements Iterator<Optional<Page>>
    {
        private final Iterator<Optional<Page>> below;
        private final CompiledLevel level;
        // from one page of the level below
        private Iterator<Optional<Page>> pages = Collections.emptyIterator();

        LevelOutput(Iterator<Optional<Page>> below, CompiledLevel level)
        {
            this.below = below;
            this.level = level;
        }

        @Override
        public boolean hasNext()
        {
            while (!pages.hasNext() && below.hasNext()) {
                pages = below.next().map(level::process).orElseGet(Collections::emptyIterator);
            }
            return pages.hasNext();
        }

        @Override
        public Optional<Page> next()
        {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            return pages.next();
        }
    }

    void forEach(Page input, Consumer<Page> consumer)
    {
        pages(input).forEachRemaining(page -> page.ifPresent(consumer));
    }

    long retainedBytes()
    {
        return levels.stream().mapToLong(level -> level.memory().getBytes()).sum();
    }
}
