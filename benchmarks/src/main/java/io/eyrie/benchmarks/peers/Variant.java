// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.peers;

import io.eyrie.testing.lake.Lake;

import java.util.Locale;

/** The connector, and its configuration, that runs a query. */
public enum Variant
{
    /** Eyrie with its defaults and the configuration of the RaptorX guide. */
    OURS(Lake.CATALOG),
    /** Presto's own Hive connector, without caches. */
    VANILLA("vanilla"),
    /** Presto's own Hive connector with every cache of the RaptorX guide, and the engine's fragment cache. */
    RAPTORX("raptorx"),
    /** Eyrie over the same tables without rows: the time that no cache can remove. */
    FLOOR(Lake.CATALOG);

    private final String catalog;

    Variant(String catalog)
    {
        this.catalog = catalog;
    }

    public String catalog()
    {
        return catalog;
    }

    /** Returns the name in results. */
    public String peerName()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}
