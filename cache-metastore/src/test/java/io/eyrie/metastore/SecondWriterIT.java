// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore;

import com.facebook.presto.common.predicate.Domain;
import com.facebook.presto.hive.PartitionNameWithVersion;
import com.facebook.presto.hive.metastore.Column;
import com.facebook.presto.hive.metastore.Database;
import com.facebook.presto.hive.metastore.ExtendedHiveMetastore;
import com.facebook.presto.hive.metastore.HivePrivilegeInfo;
import com.facebook.presto.hive.metastore.MetastoreContext;
import com.facebook.presto.hive.metastore.Partition;
import com.facebook.presto.hive.metastore.PartitionStatistics;
import com.facebook.presto.hive.metastore.Table;
import com.facebook.presto.spi.security.PrestoPrincipal;
import com.facebook.presto.spi.security.PrincipalType;
import io.eyrie.metastore.log.EventLog;
import io.eyrie.testing.metastore.HiveMetastoreServer;
import io.eyrie.testing.metastore.MetastoreDatabase;
import org.apache.thrift.TException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

import static com.facebook.presto.common.type.VarcharType.VARCHAR;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static java.util.Collections.min;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

/** A client that is unknown to Presto changes a real metastore at random; the next query must see each change. */
class SecondWriterIT
{
    private static final boolean STRESS = Boolean.getBoolean("eyrie.stress");
    private static final int STRESS_STEPS = 1000;
    private static final PrestoPrincipal USER = new PrestoPrincipal(PrincipalType.USER, SecondWriter.USER);

    @ParameterizedTest
    @CsvSource({"DERBY, 15", "MARIADB, 6", "POSTGRESQL, 6"})
    void nextQueryEqualsTheTruthByTheLog(MetastoreDatabase database, int steps)
            throws TException
    {
        try (MetastoreUnderTest metastore = MetastoreUnderTest.start("log", database, HiveMetastoreServer.NOTIFICATION_LOG)) {
            MetastoreUnderTest other = metastore.otherCoordinator();
            run(metastore, other, STRESS ? STRESS_STEPS : steps);
            for (MetastoreCacheCounters counters : List.of(metastore.cached().counters(), other.cached().counters())) {
                assertThat(counters.bypasses()).isZero();
                assertThat(counters.log().restarts()).isEqualTo(1);
                assertThat(counters.log().failures()).isZero();
                assertThat(counters.entries().hits()).isPositive();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"DERBY, 6", "MARIADB, 3", "POSTGRESQL, 3"})
    void nextQueryEqualsTheTruthWithoutALog(MetastoreDatabase database, int steps)
            throws TException
    {
        try (MetastoreUnderTest metastore = MetastoreUnderTest.start("without-log", database, Map.of())) {
            run(metastore, metastore.otherCoordinator(), STRESS ? STRESS_STEPS : steps);
            assertThat(metastore.cached().counters().bypasses()).isZero();
            assertThat(metastore.cached().counters().entries().hits()).isPositive();
        }
    }

    @Test
    void refusedToReadTheLog()
    {
        Map<String, String> refusing = new TreeMap<>(HiveMetastoreServer.NOTIFICATION_LOG);
        refusing.put("metastore.metastore.event.db.notification.api.auth", "true");
        try (MetastoreUnderTest metastore = MetastoreUnderTest.start("refusing", MetastoreDatabase.DERBY, refusing)) {
            assertThat(everything(metastore.cached())).isEqualTo(everything(metastore.direct()));
            assertThat(metastore.cached().counters().bypasses()).isZero();
            assertThat(metastore.cached().counters().log().failures()).isEqualTo(1);
        }
    }

    /* For this reason, each query reads privileges and roles from the metastore. */
    @Test
    void grantsAndRevokesSendNoEvent()
            throws Exception
    {
        CountedMetastore counted = new CountedMetastore();
        try (MetastoreUnderTest started = MetastoreUnderTest.start("grants", MetastoreDatabase.DERBY, HiveMetastoreServer.NOTIFICATION_LOG);
                SecondWriter writer = new SecondWriter(started.server().uri(), started.server().warehouse(), new Random(1));
                EventLog.Session log = started.log().open()) {
            MetastoreUnderTest metastore = MetastoreUnderTest.of(started.server(), started.server().uri(), counted);
            writer.createDatabase("one");
            writer.createTable("one", "a", 1, 0);
            long id = log.currentId();
            for (int change = 0; change < 2; change++) {
                writer.changePrivileges("one", "a");
                assertThat(log.currentId()).isEqualTo(id);
                MetastoreContext query = Contexts.newQuery();
                Set<HivePrivilegeInfo> truth = metastore.direct().listTablePrivileges(query, "one", "a", USER);
                assertThat(truth).hasSize(1 - change);
                counted.take();
                for (int i = 0; i < 2; i++) {
                    assertThat(metastore.cached().listTablePrivileges(query, "one", "a", USER)).isEqualTo(truth);
                    assertThat(metastore.cached().listRoleGrants(query, USER)).isEqualTo(metastore.direct().listRoleGrants(query, USER));
                }
                assertThat(counted.take().calls()).containsEntry("listPrivileges", 1L).containsEntry("listRoleGrants", 3L);
            }
        }
    }

    /* Uses two coordinators; the second one queries only at every other step, after two changes. */
    private static void run(MetastoreUnderTest metastore, MetastoreUnderTest other, int steps)
            throws TException
    {
        long seed = Long.getLong("eyrie.seed", System.nanoTime());
        List<String> done = new ArrayList<>();
        assertThat(everything(metastore.cached())).isEqualTo(everything(metastore.direct()));
        try (SecondWriter writer = new SecondWriter(metastore.server().uri(), metastore.server().warehouse(), new Random(seed))) {
            for (int step = 0; step < steps; step++) {
                done.add(writer.change());
                Map<String, Object> truth = everything(metastore.direct());
                assertThat(everything(metastore.cached())).as("after %s; replay with -Deyrie.seed=%s", done, seed).isEqualTo(truth);
                if (step % 2 == 1) {
                    assertThat(everything(other.cached())).as("after %s; replay with -Deyrie.seed=%s", done, seed).isEqualTo(truth);
                }
            }
            // covers cases that the random changes may have missed: existing objects, each requested twice
            writer.dropEverything();
            writer.createDatabase("one");
            writer.createTable("one", "a", 2, 3);
            for (VersionedHiveMetastore cached : List.of(metastore.cached(), metastore.cached(), other.cached(), other.cached())) {
                assertThat(everything(cached)).isEqualTo(everything(metastore.direct()));
            }
        }
    }

    /** Reads everything from a metastore, as one query does. */
    static Map<String, Object> everything(ExtendedHiveMetastore metastore)
    {
        MetastoreContext query = Contexts.newQuery();
        Map<String, Object> seen = new TreeMap<>();
        seen.put("databases", Set.copyOf(metastore.getAllDatabases(query)));
        seen.put("roles", metastore.listRoles(query));
        seen.put("grants of roles", metastore.listRoleGrants(query, USER));
        for (String database : SecondWriter.DATABASES) {
            Optional<Database> found = metastore.getDatabase(query, database);
            seen.put(database, found);
            seen.put(database + " tables", metastore.getAllTables(query, database).map(Set::copyOf));
            if (found.isPresent()) {
                SecondWriter.TABLES.forEach(table -> table(metastore, query, database, table, seen));
            }
        }
        return seen;
    }

    private static void table(ExtendedHiveMetastore metastore, MetastoreContext query, String database, String name, Map<String, Object> seen)
    {
        String key = database + "." + name;
        Optional<Table> table = metastore.getTable(query, database, name);
        seen.put(key, table);
        if (table.isEmpty()) {
            return;
        }
        seen.put(key + " privileges", metastore.listTablePrivileges(query, database, name, null)); // of all users
        seen.put(key + " constraints", metastore.getTableConstraints(query, database, name));
        seen.put(key + " names", metastore.getPartitionNames(query, database, name).map(Set::copyOf));
        Map<Column, Domain> anyPartition = table.orElseThrow().getPartitionColumns().stream()
                .collect(toImmutableMap(column -> column, column -> Domain.all(VARCHAR)));
        List<PartitionNameWithVersion> names = metastore.getPartitionNamesByFilter(query, database, name, anyPartition);
        Map<String, Optional<Partition>> partitions = metastore.getPartitionsByNames(query, database, name, names);
        seen.put(key + " partitions", partitions);
        if (names.isEmpty()) {
            return;
        }
        Map<String, PartitionStatistics> statistics = metastore.getPartitionStatistics(
                query,
                database,
                name,
                names.stream().map(PartitionNameWithVersion::getPartitionName).collect(toSet()));
        seen.put(key + " statistics", statistics);
        // not the first, because a metastore returns them in any order
        String least = min(partitions.keySet());
        Optional<Partition> found = requireNonNull(partitions.get(least));
        seen.put(key + " least", found.flatMap(partition -> metastore.getPartition(query, database, name, partition.getValues())));
    }
}
