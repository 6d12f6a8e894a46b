// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.server;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * The misses of a layer for one reason.
 *
 * @param meaning what happened to the requested item, as the end of a sentence
 * @param remedy what to do; {@code ""} if nothing
 */
record LayerMisses(String layer, String reason, long count, String meaning, String remedy)
{
    static LayerMisses of(JsonNode row)
    {
        return new LayerMisses(row.path(0).asText(), row.path(1).asText(), row.path(2).asLong(), row.path(3).asText(""), row.path(4).asText(""));
    }
}
