// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.warm;

import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.ConnectorTableHandle;
import com.facebook.presto.spi.connector.TableFunctionApplicationResult;
import com.facebook.presto.spi.function.table.ConnectorTableFunctionHandle;

import java.util.List;

/** A call of {@code warm_cache}, which the engine replaces with a scan. */
public record WarmHandle(WarmTableHandle table, List<ColumnHandle> columns)
        implements ConnectorTableFunctionHandle
{
    public WarmHandle
    {
        columns = List.copyOf(columns);
    }

    public TableFunctionApplicationResult<ConnectorTableHandle> scan()
    {
        return new TableFunctionApplicationResult<>(table, columns);
    }
}
