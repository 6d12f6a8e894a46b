// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.console;

import com.facebook.presto.common.Page;
import com.facebook.presto.common.predicate.TupleDomain;
import com.facebook.presto.hive.HiveTransactionHandle;
import com.facebook.presto.spi.ConnectorPageSource;
import com.facebook.presto.spi.ConnectorSession;
import com.google.common.reflect.Reflection;
import org.junit.jupiter.api.Test;

import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

class NodeTableTest
{
    @Test
    void moreRowsThanAreShown()
            throws Exception
    {
        NodeTable<Integer> table = new NodeTable<>(
                "numbers",
                new Columns<Integer>().number("number", "", Integer::longValue),
                rows -> IntStream.range(0, NodeTable.MOST_ROWS + 5).forEach(rows::accept));
        ConnectorSession unasked = Reflection.newProxy(ConnectorSession.class, (proxy, method, arguments) -> {
            throw new UnsupportedOperationException(method.getName());
        });
        try (ConnectorPageSource pages = table.pageSource(new HiveTransactionHandle(), unasked, TupleDomain.all())) {
            long shown = 0;
            while (!pages.isFinished()) {
                Page page = pages.getNextPage();
                shown += page == null ? 0 : page.getPositionCount();
            }
            assertThat(shown).isEqualTo(NodeTable.MOST_ROWS);
        }
    }
}
