// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore;

import com.facebook.presto.hive.metastore.MetastoreContext;
import io.eyrie.metastore.MetastoreCacheConfig.CachedKinds;
import io.eyrie.metastore.entry.EntryLimits;
import io.eyrie.metastore.log.EventLog;
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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Tests a real metastore that stops and comes back. */
@TestInstance(Lifecycle.PER_CLASS)
class MetastoreRestartIT
{
    private static final EntryLimits LIMITS = new EntryLimits(100_000_000, 100_000, Duration.ofHours(1), Duration.ofMinutes(10));
    private static final Map<String, String> CLEANED_AT_ONCE = Map.of("metastore.event.db.listener.timetolive", "0s");

    private HiveMetastoreServer server;

    @BeforeAll
    void start()
    {
        server = MetastoreUnderTest.start("restart", MetastoreDatabase.DERBY, HiveMetastoreServer.NOTIFICATION_LOG).server();
    }

    @AfterAll
    void stop()
    {
        server.close();
    }

    @Test
    void metastoreThatIsDownAndComesBackChanged()
            throws Exception
    {
        server.restart(Map.of());
        MetastoreUnderTest metastore = MetastoreUnderTest.of(server, server.uri());
        VersionedHiveMetastore graceful = metastore.cached(new MetastoreCacheConfig(LIMITS, CachedKinds.ALL, false, false, Duration.ofHours(1)));
        try (SecondWriter writer = writer()) {
            writer.createDatabase("one");
            writer.createTable("one", "a", 3, 2);
        }
        assertThat(columns(metastore.cached(), "one")).isEqualTo(3);
        assertThat(columns(graceful, "one")).isEqualTo(3);

        server.stop();
        assertThatThrownBy(() -> columns(metastore.cached(), "one")).hasMessageContaining("Failed connecting to Hive metastore");
        assertThat(columns(graceful, "one")).isEqualTo(3);
        assertThat(graceful.counters().log().graceReadings()).isEqualTo(1);

        server.restart(Map.of());
        assertThat(columns(metastore.cached(), "one")).isEqualTo(3);
        try (SecondWriter writer = writer()) {
            writer.dropTable("one", "a");
            writer.createTable("one", "a", 4, 0);
        }
        for (VersionedHiveMetastore cached : List.of(metastore.cached(), graceful)) {
            assertThat(columns(cached, "one")).isEqualTo(4);
            assertThat(cached.counters().log().restarts()).as("its log goes on").isEqualTo(1);
        }
    }

    @Test
    void eventsThatWereCleanedAwayBeforeTheyWereRead()
            throws Exception
    {
        server.restart(Map.of());
        MetastoreUnderTest metastore = MetastoreUnderTest.of(server, server.uri());
        try (SecondWriter writer = writer()) {
            writer.createDatabase("two");
            writer.createTable("two", "a", 3, 2);
            assertThat(columns(metastore.cached(), "two")).isEqualTo(3);
            writer.dropTable("two", "a");
            writer.createTable("two", "a", 4, 0);
        }
        server.restart(CLEANED_AT_ONCE);
        awaitEmptyLog(metastore.log());
        assertThat(columns(metastore.cached(), "two")).isEqualTo(4);
        assertThat(metastore.cached().counters().log().restarts()).isEqualTo(2);
    }

    /* Its tables may be older than its log. */
    @Test
    void metastoreWithACacheOfItsOwn()
            throws Exception
    {
        String store = "org.apache.hadoop.hive.metastore.cache.CachedStore";
        for (Map<String, String> properties : List.of(
                Map.<String, String>of(),
                Map.of("metastore.rawstore.impl", store, "metastore.cached.rawstore.max.cache.memory", "0b"),
                Map.of("hive.metastore.rawstore.impl", store, "metastore.cached.rawstore.max.cache.memory", "0b"))) {
            server.restart(properties);
            MetastoreUnderTest metastore = MetastoreUnderTest.of(server, server.uri());
            try (EventLog.Session session = metastore.log().open()) {
                assertThat(session.written()).isTrue();
                assertThat(session.cached()).as("with %s", properties).isEqualTo(!properties.isEmpty());
            }
            metastore.cached().getAllDatabases(Contexts.newQuery());
            assertThat(metastore.cached().counters().log().restarts()).isEqualTo(properties.isEmpty() ? 1 : 0);
        }
    }

    static void awaitEmptyLog(EventLog log)
            throws Exception
    {
        try (EventLog.Session session = log.open()) {
            while (!session.eventsAfter(0, 1).isEmpty()) {
                Thread.onSpinWait();
            }
        }
    }

    private SecondWriter writer()
            throws Exception
    {
        return new SecondWriter(server.uri(), server.warehouse(), new Random(1));
    }

    private static int columns(VersionedHiveMetastore metastore, String database)
    {
        MetastoreContext query = Contexts.newQuery();
        return metastore.getTable(query, database, "a").orElseThrow().getDataColumns().size();
    }
}
