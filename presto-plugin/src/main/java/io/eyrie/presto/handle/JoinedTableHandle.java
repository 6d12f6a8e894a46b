// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.handle;

import com.facebook.presto.hive.HiveTableHandle;
import com.facebook.presto.spi.SchemaTableName;

import static java.util.Objects.requireNonNull;

/**
 * A table of joins: the fact that is scanned, or a dimension that the plan only names. Exists only on the coordinator. It holds its layout, because the
 * engine asks for the layout of a table again, and a layout of the table alone would scan its own rows.
 */
@SuppressWarnings("EqualsHashCode") // by identity: each stands for its own layout
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
