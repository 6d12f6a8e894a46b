// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.handle;

import com.facebook.presto.spi.ConnectorTableLayoutHandle;

/** Resolves Eyrie's handle classes: splits with a place, and layouts with a leaf. */
public final class EyrieHandleResolver
        extends SplitHandleResolver
{
    @Override
    public Class<? extends ConnectorTableLayoutHandle> getTableLayoutHandleClass()
    {
        return EyrieLayoutHandle.class;
    }
}
