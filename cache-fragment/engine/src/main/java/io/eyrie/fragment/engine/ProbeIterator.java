// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.engine;

import com.facebook.presto.common.Page;
import com.facebook.presto.operator.JoinProbe;
import com.facebook.presto.operator.LookupJoinPageBuilder;
import com.facebook.presto.operator.LookupSource;
import com.google.common.collect.AbstractIterator;
import org.jspecify.annotations.Nullable;

import java.util.function.LongConsumer;

/** Joins the rows of one probe page with a table. It makes an output page only when it is requested, because a row may have any number of matches. */
final class ProbeIterator
        extends AbstractIterator<Page>
{
    private static final long NONE = -1;

    private final JoinProbe probe;
    private final LookupSource table;
    private final LookupJoinPageBuilder output;
    private final LongConsumer matched;
    private final boolean outer;
    // the next match of the current probe row
    private long match = NONE;
    // whether the current probe row is in the output, or need not be
    private boolean returned = true;
    private boolean ended;

    /**
     * @param outer whether to return a probe row that has no match
     * @param matched receives the position of each row of the table that matches
     */
    ProbeIterator(JoinProbe probe, LookupSource table, LookupJoinPageBuilder output, boolean outer, LongConsumer matched)
    {
        this.probe = probe;
        this.table = table;
        this.output = output;
        this.outer = outer;
        this.matched = matched;
    }

    @Override
    protected @Nullable Page computeNext()
    {
        while (!ended) {
            while (match != NONE) {
                long found = match;
                match = table.getNextJoinPosition(found, probe.getPosition(), probe.getPage());
                if (!table.isJoinPositionEligible(found, probe.getPosition(), probe.getPage())) {
                    continue;
                }
                matched.accept(found);
                output.appendRow(probe, table, found);
                returned = true;
                if (output.isFull()) {
                    return flushed();
                }
            }
            if (!returned) {
                returned = true;
                output.appendNullForBuild(probe);
                if (output.isFull()) {
                    return flushed();
                }
            }
            if (probe.advanceNextPosition()) {
                match = probe.getCurrentJoinPosition(table);
                returned = !outer;
            }
            else {
                ended = true;
            }
        }
        return output.isEmpty() ? endOfData() : flushed();
    }

    private Page flushed()
    {
        Page page = output.build(probe);
        output.reset();
        return page;
    }
}
