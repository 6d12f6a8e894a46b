// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.warm;

import com.facebook.presto.hive.HiveTableHandle;
import io.eyrie.presto.handle.WarmRequest;

import java.util.Objects;

import static java.util.Objects.requireNonNull;

/** A table to be warmed. Exists only on the coordinator; the scan's layout carries the warming to the workers. */
public final class WarmTableHandle
        extends HiveTableHandle
{
    private final WarmRequest warming;

    WarmTableHandle(String schema, String table, WarmRequest warming)
    {
        super(schema, table);
        this.warming = requireNonNull(warming, "warming is null");
    }

    public WarmRequest warming()
    {
        return warming;
    }

    @Override
    public boolean equals(Object other)
    {
        return super.equals(other) && other instanceof WarmTableHandle warm && warm.warming.equals(warming);
    }

    @Override
    public int hashCode()
    {
        return Objects.hash(super.hashCode(), warming);
    }
}
