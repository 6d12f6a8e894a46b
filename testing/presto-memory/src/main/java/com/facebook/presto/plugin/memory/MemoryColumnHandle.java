// SPDX-License-Identifier: Apache-2.0
package com.facebook.presto.plugin.memory;

import com.facebook.presto.common.type.Type;
import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.ColumnMetadata;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;

import java.util.ArrayList;
import java.util.List;

import static java.util.Objects.requireNonNull;

/**
 * A column of the memory connector. It replaces the connector's own class, which creates its metadata with a constructor that later SPIs lack. No
 * other class of the connector needs a replacement.
 */
public record MemoryColumnHandle(@JsonProperty("name") String name, @JsonProperty("columnType") Type columnType,
        @JsonProperty("columnIndex") int columnIndex)
        implements ColumnHandle
{
    @JsonCreator
    public MemoryColumnHandle
    {
        requireNonNull(name, "name is null");
        requireNonNull(columnType, "columnType is null");
    }

    public MemoryColumnHandle(ColumnMetadata metadata, int columnIndex)
    {
        this(metadata.getName(), metadata.getType(), columnIndex);
    }

    public String getName()
    {
        return name;
    }

    public Type getColumnType()
    {
        return columnType;
    }

    public int getColumnIndex()
    {
        return columnIndex;
    }

    public ColumnMetadata toColumnMetadata()
    {
        return ColumnMetadata.builder().setName(name).setType(columnType).build();
    }

    /** Returns the handles of a new table's columns, in their order. */
    public static List<MemoryColumnHandle> extractColumnHandles(List<ColumnMetadata> columns)
    {
        List<MemoryColumnHandle> handles = new ArrayList<>();
        for (ColumnMetadata column : columns) {
            handles.add(new MemoryColumnHandle(column, handles.size()));
        }
        return handles;
    }
}
