// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.ledger;

import java.util.Locale;

/** The layers that a query passes, in this order. */
public enum CacheLayer
{
    METASTORE,
    FILE_LIST,
    /** What the coordinator knows of files before it sends splits of them to workers. */
    FILE_STATISTICS,
    FRAGMENT,
    FOOTER,
    DATA;

    /** Returns the name that tables show. */
    public String label()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}
