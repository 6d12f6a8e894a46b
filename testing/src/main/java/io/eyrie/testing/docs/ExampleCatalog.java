// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.docs;

import io.eyrie.testing.lake.Checkout;

import java.util.Map;
import java.util.TreeMap;

/** The catalog file that README.md shows. */
public final class ExampleCatalog
{
    /** The name of the catalog in all pages. */
    public static final String NAME = "hive";

    private ExampleCatalog()
    {}

    /** Returns the properties, without the address of the metastore. */
    public static Map<String, String> properties(Checkout checkout)
    {
        Map<String, String> properties = new TreeMap<>(DocPage.read(checkout.root().resolve("README.md")).catalog());
        properties.remove("hive.metastore.uri");
        return properties;
    }
}
