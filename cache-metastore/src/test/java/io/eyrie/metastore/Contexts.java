// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore;

import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.hive.HiveColumnConverterProvider;
import com.facebook.presto.hive.metastore.MetastoreContext;
import com.facebook.presto.spi.WarningCollector;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/** Creates contexts of queries, a new one for each query. */
final class Contexts
{
    private static final AtomicLong QUERIES = new AtomicLong();

    private Contexts()
    {}

    static MetastoreContext newQuery()
    {
        return newQuery("user");
    }

    static MetastoreContext newQuery(String user)
    {
        return new MetastoreContext(
                user,
                "query_" + QUERIES.incrementAndGet(),
                Optional.empty(),
                Set.of(),
                Optional.empty(),
                Optional.empty(),
                false,
                HiveColumnConverterProvider.DEFAULT_COLUMN_CONVERTER_PROVIDER,
                WarningCollector.NOOP,
                new RuntimeStats());
    }
}
