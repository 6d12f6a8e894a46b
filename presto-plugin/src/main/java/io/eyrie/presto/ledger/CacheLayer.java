package io.eyrie.presto.ledger;

import java.util.Locale;

/** The layers that a query meets, from left to right. */
public enum CacheLayer
{
    METASTORE,
    FILE_LIST,
    FRAGMENT,
    FOOTER,
    DATA;

    /** As it is written in tables. */
    public String label()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}
