package io.eyrie.metastore;

import com.facebook.presto.hive.metastore.MetastoreContext;
import com.facebook.presto.hive.metastore.Table;
import io.eyrie.metastore.MetastoreCacheConfig.Scope;
import io.eyrie.metastore.entry.EntryLimits;
import io.eyrie.testing.metastore.HiveMetastoreServer;
import io.eyrie.testing.metastore.MetastoreDatabase;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A real metastore that goes away and comes back. */
class MetastoreRestartIT
{
    private static final EntryLimits LIMITS = new EntryLimits(100_000_000, 100_000, Duration.ofHours(1), Duration.ofMinutes(10));

    @Test
    void metastoreThatIsDownAndComesBackChanged()
            throws Exception
    {
        try (MetastoreUnderTest metastore = MetastoreUnderTest.start("restart", MetastoreDatabase.DERBY, HiveMetastoreServer.NOTIFICATION_LOG)) {
            VersionedHiveMetastore graceful = metastore.cached(new MetastoreCacheConfig(LIMITS, Scope.ALL, false, false, Duration.ofHours(1)));
            try (SecondWriter writer = writer(metastore)) {
                writer.createDatabase("one");
                writer.createTable("one", "a", 3, 2);
            }
            Table before = table(metastore.cached());
            assertThat(table(graceful)).isEqualTo(before);

            metastore.server().stop();
            assertThatThrownBy(() -> table(metastore.cached())).hasMessageContaining("Failed connecting to Hive metastore");
            assertThat(table(graceful)).isEqualTo(before);
            assertThat(graceful.counters().log().graceReadings()).isEqualTo(1);

            metastore.server().restart();
            assertThat(table(metastore.cached())).isEqualTo(before);
            try (SecondWriter writer = writer(metastore)) {
                writer.dropTable("one", "a");
                writer.createTable("one", "a", 4, 0);
            }
            for (VersionedHiveMetastore cached : new VersionedHiveMetastore[] {metastore.cached(), graceful}) {
                assertThat(table(cached).getDataColumns()).hasSize(4);
                assertThat(cached.counters().log().restarts()).as("its log goes on").isEqualTo(1);
            }
        }
    }

    private static SecondWriter writer(MetastoreUnderTest metastore)
            throws Exception
    {
        return new SecondWriter(metastore.server().uri(), metastore.server().warehouse(), new Random(1));
    }

    private static Table table(VersionedHiveMetastore metastore)
    {
        MetastoreContext query = Contexts.newQuery();
        return metastore.getTable(query, "one", "a").orElseThrow();
    }
}
