// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.footer;

import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.session.PropertyMetadata;
import io.eyrie.footer.FooterKind;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import static com.facebook.presto.spi.session.PropertyMetadata.booleanProperty;
import static io.eyrie.footer.FooterKind.ORC_FILE_TAIL;
import static io.eyrie.footer.FooterKind.ORC_ROW_GROUP_INDEX;
import static io.eyrie.footer.FooterKind.ORC_STRIPE_FOOTER;
import static io.eyrie.footer.FooterKind.ORC_STRIPE_STREAM;
import static io.eyrie.footer.FooterKind.PARQUET_COLUMN_INDEX;
import static io.eyrie.footer.FooterKind.PARQUET_FOOTER;
import static io.eyrie.footer.FooterKind.PARQUET_OFFSET_INDEX;

/** The session properties that turn off footer caches. A session cannot turn on a cache that the catalog turns off. */
public final class FooterSessionProperties
{
    private static final Map<String, Set<FooterKind>> PROPERTIES = Map.of(
            "orc_file_tail_cache_enabled", Set.of(ORC_FILE_TAIL),
            "orc_stripe_metadata_cache_enabled", Set.of(ORC_STRIPE_FOOTER, ORC_STRIPE_STREAM),
            "orc_row_group_index_cache_enabled", Set.of(ORC_ROW_GROUP_INDEX),
            "parquet_metadata_cache_enabled", Set.of(PARQUET_FOOTER, PARQUET_COLUMN_INDEX, PARQUET_OFFSET_INDEX));

    private FooterSessionProperties()
    {}

    public static List<PropertyMetadata<?>> properties()
    {
        return PROPERTIES.entrySet()
                .stream()
                .sorted(Map.Entry.comparingByKey())
                .<PropertyMetadata<?>>map(entry -> booleanProperty(entry.getKey(), "Use these caches of the catalog: " + words(entry.getValue()),
                        true,
                        false))
                .toList();
    }

    private static String words(Set<FooterKind> kinds)
    {
        return kinds.stream().sorted().map(kind -> kind.name().replace('_', ' ').toLowerCase(Locale.ROOT)).collect(Collectors.joining(", "));
    }

    /** Returns the kinds of footers for which a session bypasses the cache. */
    public static Set<FooterKind> bypassed(ConnectorSession session)
    {
        Set<FooterKind> bypassed = EnumSet.noneOf(FooterKind.class);
        PROPERTIES.forEach((name, kinds) -> {
            if (!session.getProperty(name, Boolean.class)) {
                bypassed.addAll(kinds);
            }
        });
        return bypassed;
    }
}
