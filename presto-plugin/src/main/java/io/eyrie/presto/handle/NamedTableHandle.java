// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.handle;

import com.facebook.presto.spi.ConnectorIndexHandle;
import com.facebook.presto.spi.SchemaTableName;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;

import static java.util.Objects.requireNonNull;

/** The handle of an index without rows, by which the plan of a joined scan names the table of a dimension. */
public record NamedTableHandle(@JsonProperty("table") SchemaTableName table)
        implements ConnectorIndexHandle
{
    @JsonCreator
    public NamedTableHandle
    {
        requireNonNull(table, "table is null");
    }

    /** Returns what displayed plans show. */
    @Override
    public String toString()
    {
        return table + ", read by the joined scan";
    }
}
