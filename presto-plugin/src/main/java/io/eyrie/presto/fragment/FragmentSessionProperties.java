// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.hive.HiveSessionProperties;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.session.PropertyMetadata;
import com.google.inject.Inject;
import io.eyrie.cache.page.CacheMode;
import io.eyrie.presto.catalog.CacheModes;
import io.eyrie.presto.config.FragmentConfig;
import io.eyrie.presto.ledger.CacheLayer;

import java.util.List;

import static com.facebook.presto.spi.session.PropertyMetadata.booleanProperty;

/** The session property that enables fragment results. When it is off, a query's plan stays as Presto made it. */
public final class FragmentSessionProperties
{
    private static final String ENABLED = "fragment_result_cache_enabled";

    private final List<PropertyMetadata<?>> properties;

    @Inject
    public FragmentSessionProperties(FragmentConfig config)
    {
        properties = List.of(booleanProperty(ENABLED, "Serve plan fragments from cached results, and cache results", config.isEnabled(), false));
    }

    public List<PropertyMetadata<?>> getSessionProperties()
    {
        return properties;
    }

    static boolean isEnabled(ConnectorSession session)
    {
        return session.getProperty(ENABLED, Boolean.class)
                && HiveSessionProperties.isCacheEnabled(session)
                && CacheModes.of(session, CacheLayer.FRAGMENT) != CacheMode.BYPASS;
    }
}
