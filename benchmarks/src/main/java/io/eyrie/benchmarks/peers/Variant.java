package io.eyrie.benchmarks.peers;

import io.eyrie.testing.lake.Lake;

import java.util.Locale;

/** Whose connector runs a query. */
public enum Variant
{
    /** Eyrie as it comes, with the lines of the RaptorX guide. */
    OURS(Lake.CATALOG),
    /** Presto's own Hive connector, without caches. */
    VANILLA("vanilla"),
    /** Presto's own Hive connector with every cache of the RaptorX guide, and the engine's fragment cache. */
    RAPTORX("raptorx"),
    /** Eyrie over the same tables without rows: what no cache can take away. */
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

    /** As results call it. */
    public String peerName()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}
