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
 * Measures warm queries: some rounds that do not count, then rounds in which the clients take turns, another one first each time. Every answer is compared with
 * vanilla's, but the floor's.
 */
record Turns(Findings findings, int warmups, int repeats)
{
    private static final String METRIC = "warm-time";

    /** @param clients by their variants' names; at least one begins with vanilla's, which keeps nothing warm */
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
