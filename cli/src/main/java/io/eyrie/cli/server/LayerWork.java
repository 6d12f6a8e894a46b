// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.server;

import com.fasterxml.jackson.databind.JsonNode;

import java.util.List;

/** The work of a layer for a query, over all nodes. */
record LayerWork(String layer, long hits, long hitBytes, long misses, long loads, long loadBytes, double loadMillis, long nodes)
{
    /** The names of the layers, in the order in which queries pass them. */
    static final List<String> LAYERS = List.of("metastore", "file_list", "file_statistics", "fragment", "footer", "data");

    static LayerWork of(JsonNode row)
    {
        return new LayerWork(row.path(0).asText(), row.path(1).asLong(), row.path(2).asLong(), row.path(3).asLong(), row.path(4).asLong(), row.path(5)
                .asLong(), row.path(6).asDouble(), row.path(7).asLong());
    }
}
