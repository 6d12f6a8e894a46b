// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.engine;

import com.facebook.presto.common.Page;
import com.facebook.presto.common.type.Type;
import com.facebook.presto.operator.project.MergingPageOutput;
import io.eyrie.fragment.leaf.LeafRun;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Filters and projects one split, and merges small pages as the engine does. */
final class RowsRun
        implements LeafRun
{
    private static final long MIN_PAGE_BYTES = 500_000;
    private static final int MIN_PAGE_ROWS = 256;

    private final ProjectionStack projection;
    private final MergingPageOutput output;

    RowsRun(ProjectionStack projection, List<Type> types)
    {
        this.projection = projection;
        this.output = new MergingPageOutput(types, MIN_PAGE_BYTES, MIN_PAGE_ROWS);
    }

    @Override
    public Iterator<Page> add(Page page)
    {
        output.addInput(projection.pages(page));
        return complete();
    }

    @Override
    public Iterator<Page> finish()
    {
        output.finish();
        return complete();
    }

    private Iterator<Page> complete()
    {
        List<Page> pages = new ArrayList<>();
        for (Page page = output.getOutput(); page != null; page = output.getOutput()) {
            pages.add(page);
        }
        return pages.iterator();
    }

    @Override
    public long retainedBytes()
    {
        return projection.retainedBytes() + output.getRetainedSizeInBytes();
    }
}
