// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.statistics;

import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.common.function.SqlFunctionProperties;
import com.facebook.presto.common.resourceGroups.QueryType;
import com.facebook.presto.common.type.TimeZoneKey;
import com.facebook.presto.spi.ConnectorId;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.WarningCollector;
import com.facebook.presto.spi.function.SqlFunctionId;
import com.facebook.presto.spi.function.SqlInvokedFunction;
import com.facebook.presto.spi.security.ConnectorIdentity;
import io.airlift.units.DataSize;
import io.eyrie.cache.page.CacheMode;
import io.eyrie.presto.catalog.CacheModes;
import io.eyrie.presto.ledger.CacheLayer;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static java.util.Objects.requireNonNull;

/**
 * A query's session, for reads after the query: with the same identity and settings, but without the query's id and statistics, so that the reads are not those of
 * the query. They request footers alone, also of small files, and what they read of files is not cached.
 */
record BackgroundSession(ConnectorSession query, RuntimeStats stats)
        implements ConnectorSession
{
    private static final String DATA_MODE = CacheModes.name(CacheLayer.DATA);
    // Presto's reader of ORC fetches a smaller file as a whole
    private static final String SMALL_FILE = "orc_tiny_stripe_threshold";

    BackgroundSession
    {
        requireNonNull(query, "query is null");
        requireNonNull(stats, "stats is null");
    }

    @Override
    public String getQueryId()
    {
        return "";
    }

    @Override
    public RuntimeStats getRuntimeStats()
    {
        return stats;
    }

    @Override
    public <T> T getProperty(String name, Class<T> type)
    {
        if (name.equals(SMALL_FILE)) {
            return type.cast(new DataSize(0, DataSize.Unit.BYTE));
        }
        return name.equals(DATA_MODE) ? type.cast(CacheMode.READ_ONLY) : query.getProperty(name, type);
    }

    @Override
    public WarningCollector getWarningCollector()
    {
        return WarningCollector.NOOP;
    }

    @Override
    public ConnectorSession forConnectorId(ConnectorId connectorId)
    {
        return new BackgroundSession(query.forConnectorId(connectorId), stats);
    }

    @Override
    public Optional<String> getSource()
    {
        return query.getSource();
    }

    @Override
    public ConnectorIdentity getIdentity()
    {
        return query.getIdentity();
    }

    @Override
    public TimeZoneKey getTimeZoneKey()
    {
        return query.getTimeZoneKey();
    }

    @Override
    public Locale getLocale()
    {
        return query.getLocale();
    }

    @Override
    public Optional<String> getTraceToken()
    {
        return query.getTraceToken();
    }

    @Override
    public Optional<String> getClientInfo()
    {
        return query.getClientInfo();
    }

    @Override
    public Set<String> getClientTags()
    {
        return query.getClientTags();
    }

    @Override
    public long getStartTime()
    {
        return query.getStartTime();
    }

    @Override
    public SqlFunctionProperties getSqlFunctionProperties()
    {
        return query.getSqlFunctionProperties();
    }

    @Override
    public Map<SqlFunctionId, SqlInvokedFunction> getSessionFunctions()
    {
        return query.getSessionFunctions();
    }

    @Override
    public Optional<String> getSchema()
    {
        return query.getSchema();
    }

    @Override
    public Optional<QueryType> getQueryType()
    {
        return query.getQueryType();
    }
}
