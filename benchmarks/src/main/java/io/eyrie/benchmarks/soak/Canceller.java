// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.soak;

import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryFailedException;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;

/** Starts queries and kills them while they run. Not thread-safe. */
final class Canceller
{
    static final String MESSAGE = "the soak killed it";

    private static final String VICTIM = "victim";
    private static final int THREADS = 6;

    private final PrestoClient client;

    Canceller(PrestoClient client)
    {
        this.client = client;
    }

    /** Returns a client whose queries are killed. */
    static PrestoClient victim(PrestoClient client)
    {
        return client.withUser(VICTIM);
    }

    /** Runs {@code ask} {@code queries} times, as victims, until all of them have ended. Returns how many were killed. */
    int run(int queries, IntConsumer ask)
    {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        int killed = 0;
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < queries; i++) {
                int query = i;
                running.add(threads.submit(() -> ask.accept(query)));
            }
            while (!running.stream().allMatch(Future::isDone)) {
                killed += killRunning();
            }
        }
        finally {
            threads.shutdownNow();
        }
        return killed;
    }

    private int killRunning()
    {
        int killed = 0;
        try {
            for (String query : client.execute("SELECT query_id FROM system.runtime.queries WHERE \"user\" = '" + VICTIM + "' AND state = 'RUNNING'")
                    .strings(0)) {
                try {
                    client.execute("CALL system.runtime.kill_query(query_id => '" + query + "', message => '" + MESSAGE + "')");
                    killed++;
                }
                catch (QueryFailedException e) {
                    // it has already ended
                }
            }
        }
        catch (QueryFailedException e) {
            // the cluster is busy with another fault; the victims end without a kill
        }
        return killed;
    }
}
