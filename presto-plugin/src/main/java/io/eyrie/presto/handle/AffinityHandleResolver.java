// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.handle;

import com.facebook.presto.hive.HiveHandleResolver;
import com.facebook.presto.spi.ConnectorSplit;

/** Resolves Hive's handle classes, with {@link AffinityHiveSplit} as the split class. */
class AffinityHandleResolver
        extends HiveHandleResolver
{
    @Override
    public Class<? extends ConnectorSplit> getSplitClass()
    {
        return AffinityHiveSplit.class;
    }
}
