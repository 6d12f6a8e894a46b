package io.eyrie.fragment.engine;

import com.facebook.presto.common.Page;
import com.facebook.presto.common.function.SqlFunctionProperties;
import com.facebook.presto.memory.context.LocalMemoryContext;
import com.facebook.presto.operator.DriverYieldSignal;
import com.facebook.presto.operator.project.PageProcessor;

import java.util.Iterator;
import java.util.Optional;
import java.util.function.Consumer;

import static com.facebook.presto.memory.context.AggregatedMemoryContext.newSimpleAggregatedMemoryContext;

/** The engine's compiled filter and projections over one split. Used by one thread. */
final class Projection
{
    private final PageProcessor processor;
    private final SqlFunctionProperties properties;
    private final LocalMemoryContext memory = newSimpleAggregatedMemoryContext().newLocalMemoryContext(Projection.class.getSimpleName());
    // never set: a page is gone through in one piece
    private final DriverYieldSignal yieldSignal = new DriverYieldSignal();

    Projection(PageProcessor processor, SqlFunctionProperties properties)
    {
        this.processor = processor;
        this.properties = properties;
    }

    Iterator<Optional<Page>> pages(Page input)
    {
        return processor.process(properties, yieldSignal, memory, input);
    }

    void forEach(Page input, Consumer<Page> consumer)
    {
        pages(input).forEachRemaining(page -> page.ifPresent(consumer));
    }

    long retainedBytes()
    {
        return memory.getBytes();
    }
}
