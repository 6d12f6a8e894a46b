// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.report;

import io.eyrie.benchmarks.peers.Variant;
import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryResult;
import io.eyrie.testing.client.Rows;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * Measures warm queries: unmeasured rounds, then rounds in which the clients take turns, another one first each time. Compares every answer, except
 * the floor's, with vanilla's.
 */
record Turns(Findings findings, int warmups, int repeats)
{
    private static final String METRIC = "warm-time";

    /** @param clients by variant name; at least one name begins with vanilla's, which caches nothing and needs no warm-up */
    void measure(String row, String sql, Map<String, PrestoClient> clients)
    {
        String vanilla = Variant.VANILLA.peerName();
        QueryResult expected = clients.entrySet().stream().filter(client -> client.getKey().startsWith(vanilla)).findFirst().orElseThrow().getValue()
                .execute(sql);
        for (int repeat = -warmups; repeat < repeats; repeat++) {
            List<Map.Entry<String, PrestoClient>> order = new ArrayList<>(clients.entrySet());
            Collections.rotate(order, repeat);
            for (Map.Entry<String, PrestoClient> client : order) {
                if (repeat >= 0 || !client.getKey().startsWith(vanilla)) {
                    QueryResult result = client.getValue().execute(sql);
                    if (!client.getKey().equals(Variant.FLOOR.peerName())) {
                        Rows.assertSameRows(result, expected);
                    }
                    if (repeat >= 0) {
                        findings.time(row, METRIC, client.getKey(), result, client.getValue());
                    }
                }
            }
        }
    }
}
