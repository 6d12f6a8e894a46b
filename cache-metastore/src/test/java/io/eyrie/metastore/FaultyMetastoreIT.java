// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore;

import io.eyrie.metastore.FaultyRelay.Fault;
import io.eyrie.testing.metastore.HiveMetastoreServer;
import io.eyrie.testing.metastore.MetastoreDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests a real metastore whose answers are lost, truncated or missing: query results are right, and nothing wrong remains cached. */
@TestInstance(Lifecycle.PER_CLASS)
class FaultyMetastoreIT
{
    private static final int STEPS = Boolean.getBoolean("eyrie.stress") ? 200 : 12;
    private static final List<Fault> FAULTS = List.of(Fault.ANSWER_LOST, Fault.HALF_AN_ANSWER);
    private static final int CONNECTIONS_A_FAULT = 8;

    private HiveMetastoreServer server;

    @BeforeAll
    void start()
    {
        server = MetastoreUnderTest.start("faulty", MetastoreDatabase.DERBY, HiveMetastoreServer.NOTIFICATION_LOG).server();
    }

    @AfterAll
    void stop()
    {
        server.close();
    }

    @Test
    void answersLostOrCutInHalf()
            throws Exception
    {
        long seed = Long.getLong("eyrie.seed", System.nanoTime());
        Random random = new Random(seed);
        MetastoreUnderTest direct = MetastoreUnderTest.of(server, server.uri());
        try (FaultyRelay relay = new FaultyRelay(server.uri());
                SecondWriter writer = new SecondWriter(server.uri(), server.warehouse(), new Random(seed))) {
            writer.dropEverything();
            VersionedHiveMetastore cached = MetastoreUnderTest.of(server, relay.uri()).cached();
            for (int step = 0; step < STEPS; step++) {
                String done = writer.change();
                Map<String, Object> truth = SecondWriterIT.everything(direct.direct());
                relay.fail(() -> random.nextInt(CONNECTIONS_A_FAULT) == 0 ? FAULTS.get(random.nextInt(FAULTS.size())) : Fault.NONE);
                // Presto retries; the query fails only after the maximum number of retries
                assertThat(SecondWriterIT.everything(cached)).as("after %s; replay with -Deyrie.seed=%s", done, seed).isEqualTo(truth);
                relay.fail(() -> Fault.NONE);
                assertThat(SecondWriterIT.everything(cached)).as("all is well after %s; replay with -Deyrie.seed=%s", done, seed).isEqualTo(truth);
            }
            assertThat(relay.faults()).isPositive();
            assertThat(cached.counters().entries().hits()).isPositive();
        }
    }

    @Test
    void metastoreThatDoesNotAnswer()
            throws Exception
    {
        MetastoreUnderTest direct = MetastoreUnderTest.of(server, server.uri());
        try (FaultyRelay relay = new FaultyRelay(server.uri());
                SecondWriter writer = new SecondWriter(server.uri(), server.warehouse(), new Random(1))) {
            writer.dropEverything();
            VersionedHiveMetastore cached = MetastoreUnderTest.of(server, relay.uri(), new CountedMetastore(), Duration.ofSeconds(5)).cached();
            writer.createDatabase("one");
            writer.createTable("one", "a", 3, 20);
            assertThat(SecondWriterIT.everything(cached)).isEqualTo(SecondWriterIT.everything(direct.direct()));
            writer.touchPartition("one", "a", "7");
            AtomicBoolean first = new AtomicBoolean(true);
            relay.fail(() -> first.getAndSet(false) ? Fault.SILENCE : Fault.NONE);
            Map<String, Object> truth = SecondWriterIT.everything(direct.direct());
            // the log did not return its number, so the cache is bypassed
            assertThat(SecondWriterIT.everything(cached)).isEqualTo(truth);
            assertThat(cached.counters().bypasses()).isPositive();
            assertThat(SecondWriterIT.everything(cached)).isEqualTo(truth);
        }
    }
}
