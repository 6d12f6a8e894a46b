// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.hive.HiveSessionProperties;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.PrestoException;
import com.facebook.presto.spi.session.PropertyMetadata;
import com.google.inject.Inject;
import io.eyrie.cache.config.ConfigException;
import io.eyrie.cache.page.CacheMode;
import io.eyrie.presto.catalog.CacheModes;
import io.eyrie.presto.config.FragmentConfig;
import io.eyrie.presto.config.JoinAdmission;
import io.eyrie.presto.ledger.CacheLayer;

import java.util.List;

import static com.facebook.presto.common.type.VarcharType.VARCHAR;
import static com.facebook.presto.spi.StandardErrorCode.INVALID_SESSION_PROPERTY;
import static com.facebook.presto.spi.session.PropertyMetadata.booleanProperty;

/** The session properties of fragment results. Without results, a query's plan stays as Presto made it. */
public final class FragmentSessionProperties
{
    private static final String ENABLED = "fragment_result_cache_enabled";
    private static final String SUBSUMPTION = "fragment_result_cache_subsumption_enabled";
    private static final String JOIN_ADMISSION = "fragment_result_cache_joined_admission";

    private final List<PropertyMetadata<?>> properties;

    @Inject
    public FragmentSessionProperties(FragmentConfig config)
    {
        JoinAdmission preset = JoinAdmission.of(config.getJoinedAdmission());
        properties = List.of(
                booleanProperty(ENABLED, "Serve plan fragments from cached results, and cache results", config.isEnabled(), false),
                booleanProperty(SUBSUMPTION, "Answer aggregations from cached results of finer groups", config.isSubsumptionEnabled(), false),
                new PropertyMetadata<>(
                        JOIN_ADMISSION,
                        "Which joins below an aggregation or ORDER BY with LIMIT become one scan whose results are cached: NEVER, SEEN_TWICE or ALWAYS",
                        VARCHAR,
                        JoinAdmission.class,
                        preset,
                        false,
                        value -> admission((String) value),
                        JoinAdmission::name));
    }

    private static JoinAdmission admission(String value)
    {
        try {
            return JoinAdmission.of(value);
        }
        catch (ConfigException e) {
            throw new PrestoException(INVALID_SESSION_PROPERTY, JOIN_ADMISSION + " is '" + value + "': specify NEVER, SEEN_TWICE or ALWAYS", e);
        }
    }

    public List<PropertyMetadata<?>> getSessionProperties()
    {
        return properties;
    }

    /** Returns which joins a session's queries replace. Without results, joins would be computed by each query. */
    static JoinAdmission joinAdmission(ConnectorSession session)
    {
        return CacheModes.of(session, CacheLayer.FRAGMENT) == CacheMode.DRY_RUN
                ? JoinAdmission.NEVER
                : session.getProperty(JOIN_ADMISSION, JoinAdmission.class);
    }

    static boolean isSubsumptionEnabled(ConnectorSession session)
    {
        return session.getProperty(SUBSUMPTION, Boolean.class);
    }

    static boolean isEnabled(ConnectorSession session)
    {
        return session.getProperty(ENABLED, Boolean.class)
                && HiveSessionProperties.isCacheEnabled(session)
                && CacheModes.of(session, CacheLayer.FRAGMENT) != CacheMode.BYPASS;
    }
}
