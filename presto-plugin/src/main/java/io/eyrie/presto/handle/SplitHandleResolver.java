// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.handle;

import com.facebook.presto.hive.HiveHandleResolver;
import com.facebook.presto.spi.ConnectorSplit;

/** Resolves Hive's handle classes, with {@link EyrieSplit} as the split class. */
class SplitHandleResolver
        extends HiveHandleResolver
{
    @Override
    public Class<? extends ConnectorSplit> getSplitClass()
    {
        return EyrieSplit.class;
    }
}
