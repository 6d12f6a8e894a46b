// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.catalog;

import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.PrestoException;
import com.facebook.presto.spi.session.PropertyMetadata;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.eyrie.cache.page.CacheMode;
import io.eyrie.presto.ledger.CacheLayer;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

import static com.facebook.presto.common.type.VarcharType.VARCHAR;
import static com.facebook.presto.spi.StandardErrorCode.INVALID_SESSION_PROPERTY;

/**
 * The session properties {@code data_cache_mode}, {@code footer_cache_mode}, {@code fragment_cache_mode}, {@code file_list_cache_mode},
 * {@code file_statistics_cache_mode} and {@code metastore_cache_mode}, which set how a query uses each layer. Remembers the modes of queries for the layers that do not see the session. Thread-safe.
 */
public final class CacheModes
{
    private static final long MOST_QUERIES = 10_000;
    private static final Duration REMEMBERED = Duration.ofHours(1);

    // only of queries whose modes are not the default
    private final Cache<String, Map<CacheLayer, CacheMode>> queries = Caffeine.newBuilder().maximumSize(MOST_QUERIES).expireAfterAccess(REMEMBERED)
            .build();

    public static List<PropertyMetadata<?>> properties()
    {
        return Stream.of(CacheLayer.values()).<PropertyMetadata<?>>map(CacheModes::property).toList();
    }

    private static PropertyMetadata<CacheMode> property(CacheLayer layer)
    {
        return new PropertyMetadata<>(
                name(layer),
                "How the query uses the layer " + layer.label()
                        + ": READ_WRITE, READ_ONLY (serves hits, caches nothing), DRY_RUN (serves and caches nothing, counts would-be hits), "
                        + "BYPASS (no lookups)",
                VARCHAR,
                CacheMode.class,
                CacheMode.READ_WRITE,
                false,
                value -> mode(layer, (String) value),
                CacheMode::name);
    }

    private static CacheMode mode(CacheLayer layer, String value)
    {
        return Arrays.stream(CacheMode.values())
                .filter(mode -> mode.name().equals(value.toUpperCase(Locale.ENGLISH)))
                .findFirst()
                .orElseThrow(() -> new PrestoException(INVALID_SESSION_PROPERTY, name(layer) + " is '" + value
                        + "': specify READ_WRITE, READ_ONLY, DRY_RUN or BYPASS"));
    }

    /** Returns the name of a layer's session property. */
    public static String name(CacheLayer layer)
    {
        return layer.label() + "_cache_mode";
    }

    /** Returns how a session's query uses a layer. */
    public static CacheMode of(ConnectorSession session, CacheLayer layer)
    {
        return session.getProperty(name(layer), CacheMode.class);
    }

    /** Returns the effective mode: on a node that does not cache what it reads, {@code READ_WRITE} becomes {@code READ_ONLY}. */
    public static CacheMode here(CacheMode mode, boolean kept)
    {
        return mode == CacheMode.READ_WRITE && !kept ? CacheMode.READ_ONLY : mode;
    }

    /** Remembers the file list and metastore modes of a session's query. */
    public void remember(ConnectorSession session)
    {
        CacheMode lists = of(session, CacheLayer.FILE_LIST);
        CacheMode metastore = of(session, CacheLayer.METASTORE);
        if (lists != CacheMode.READ_WRITE || metastore != CacheMode.READ_WRITE) {
            queries.put(session.getQueryId(), Map.of(CacheLayer.FILE_LIST, lists, CacheLayer.METASTORE, metastore));
        }
    }

    /** Returns how a query uses a layer; the default if no mode is remembered. */
    public CacheMode of(String queryId, CacheLayer layer)
    {
        Map<CacheLayer, CacheMode> known = queries.getIfPresent(queryId);
        return known == null ? CacheMode.READ_WRITE : known.getOrDefault(layer, CacheMode.READ_WRITE);
    }
}
