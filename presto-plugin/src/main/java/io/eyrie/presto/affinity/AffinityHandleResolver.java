package io.eyrie.presto.affinity;

import com.facebook.presto.hive.HiveHandleResolver;
import com.facebook.presto.spi.ConnectorSplit;

/** Hive's handles, with {@link AffinityHiveSplit} for a split. */
public class AffinityHandleResolver
        extends HiveHandleResolver
{
    @Override
    public Class<? extends ConnectorSplit> getSplitClass()
    {
        return AffinityHiveSplit.class;
    }
}
