// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.handle;

import com.facebook.presto.spi.ConnectorIndexHandle;
import com.facebook.presto.spi.ConnectorTableLayoutHandle;

/** Resolves Eyrie's handle classes: splits with a place, layouts with a leaf, and indexes that name a table. */
public final class EyrieHandleResolver
        extends SplitHandleResolver
{
    @Override
    public Class<? extends ConnectorTableLayoutHandle> getTableLayoutHandleClass()
    {
        return EyrieLayoutHandle.class;
    }

    @Override
    public Class<? extends ConnectorIndexHandle> getIndexHandleClass()
    {
        return NamedTableHandle.class;
    }
}
