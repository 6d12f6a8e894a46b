// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.server;

import com.fasterxml.jackson.databind.JsonNode;

/** The work of a layer for a query, over all nodes. */
record LayerWork(String layer, long hits, long hitBytes, long misses, long loads, long loadBytes, double loadMillis, long nodes)
{
    static LayerWork of(JsonNode row)
    {
        return new LayerWork(row.path(0).asText(), row.path(1).asLong(), row.path(2).asLong(), row.path(3).asLong(), row.path(4).asLong(), row.path(5)
                .asLong(), row.path(6).asDouble(), row.path(7).asLong());
    }
}
