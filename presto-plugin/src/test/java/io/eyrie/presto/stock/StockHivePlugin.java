// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.stock;

import com.facebook.presto.hive.HivePlugin;

/** Presto's Hive connector under the name that its users configure. */
public final class StockHivePlugin
        extends HivePlugin
{
    public StockHivePlugin()
    {
        super("hive-hadoop2");
    }
}
