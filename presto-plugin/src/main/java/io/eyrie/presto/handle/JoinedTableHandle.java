// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.handle;

import com.facebook.presto.hive.HiveTableHandle;
import com.facebook.presto.spi.SchemaTableName;

import static java.util.Objects.requireNonNull;

/**
 * A table of a joined scan: the fact, or a dimension that the plan only names. It exists only on the coordinator. It holds its layout because the engine
 * requests the layout of a table again, and a layout that is made from the table's name would scan the table without the joins.
 */
@SuppressWarnings("EqualsHashCode") // by identity: each has a layout of its own
public final class JoinedTableHandle
        extends HiveTableHandle
{
    private final EyrieLayoutHandle layout;

    public JoinedTableHandle(EyrieLayoutHandle layout)
    {
        this(layout.getSchemaTableName(), layout);
    }

    private JoinedTableHandle(SchemaTableName table, EyrieLayoutHandle layout)
    {
        super(table.getSchemaName(), table.getTableName());
        this.layout = requireNonNull(layout, "layout is null");
    }

    public EyrieLayoutHandle layout()
    {
        return layout;
    }
}
