// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.console;

import com.facebook.presto.common.Page;
import com.facebook.presto.common.PageBuilder;
import com.facebook.presto.common.predicate.TupleDomain;
import com.facebook.presto.spi.ColumnMetadata;
import com.facebook.presto.spi.ConnectorPageSource;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.ConnectorTableMetadata;
import com.facebook.presto.spi.FixedPageSource;
import com.facebook.presto.spi.SchemaTableName;
import com.facebook.presto.spi.SystemTable;
import com.facebook.presto.spi.connector.ConnectorTransactionHandle;
import io.eyrie.cache.log.LimitedLog;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

import static java.util.Objects.requireNonNull;

/**
 * A table to which every node, including coordinators, contributes its rows. Thread-safe.
 *
 * @param <R> a row
 */
final class NodeTable<R>
        implements SystemTable
{
    static final String SCHEMA = "cache";
    static final int MOST_ROWS = 100_000;

    private static final LimitedLog log = new LimitedLog(NodeTable.class, Level.WARNING);

    private final Distribution distribution;
    private final ConnectorTableMetadata metadata;
    private final Columns<R> columns;
    private final Consumer<Consumer<R>> rows;

    /** @param rows supplies the current rows of this node */
    NodeTable(String name, Columns<R> columns, Consumer<Consumer<R>> rows)
    {
        this(name, Distribution.ALL_NODES, columns, rows);
    }

    NodeTable(String name, Distribution distribution, Columns<R> columns, Consumer<Consumer<R>> rows)
    {
        this.distribution = requireNonNull(distribution, "distribution is null");
        this.columns = requireNonNull(columns, "columns is null");
        this.rows = requireNonNull(rows, "rows is null");
        this.metadata = new ConnectorTableMetadata(new SchemaTableName(SCHEMA, name), columns.metadata());
    }

    @Override
    public Distribution getDistribution()
    {
        return distribution;
    }

    @Override
    public ConnectorTableMetadata getTableMetadata()
    {
        return metadata;
    }

    @Override
    public ConnectorPageSource pageSource(ConnectorTransactionHandle transaction, ConnectorSession session, TupleDomain<Integer> constraint)
    {
        PageBuilder page = new PageBuilder(metadata.getColumns().stream().map(ColumnMetadata::getType).toList());
        List<Page> pages = new ArrayList<>();
        AtomicLong count = new AtomicLong();
        rows.accept(row -> {
            if (count.incrementAndGet() > MOST_ROWS) {
                return;
            }
            page.declarePosition();
            columns.write(row, page::getBlockBuilder);
            if (page.isFull()) {
                pages.add(page.build());
                page.reset();
            }
        });
        pages.add(page.build());
        if (count.get() > MOST_ROWS) {
            log.log("Table " + metadata.getTable() + " shows " + MOST_ROWS + " of this node's " + count.get() + " rows");
        }
        return new FixedPageSource(pages);
    }
}
