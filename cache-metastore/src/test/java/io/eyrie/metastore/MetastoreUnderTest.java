// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore;

import com.facebook.presto.hive.HdfsEnvironment;
import com.facebook.presto.hive.MetastoreClientConfig;
import com.facebook.presto.hive.authentication.NoHiveMetastoreAuthentication;
import com.facebook.presto.hive.metastore.ExtendedHiveMetastore;
import com.facebook.presto.hive.metastore.HivePartitionMutator;
import com.facebook.presto.hive.metastore.thrift.BridgingHiveMetastore;
import com.facebook.presto.hive.metastore.thrift.HiveCluster;
import com.facebook.presto.hive.metastore.thrift.HiveMetastoreClientFactory;
import com.facebook.presto.hive.metastore.thrift.StaticHiveCluster;
import com.facebook.presto.hive.metastore.thrift.ThriftHiveMetastore;
import io.airlift.units.Duration;
import io.eyrie.metastore.MetastoreCacheConfig.CachedKinds;
import io.eyrie.metastore.entry.EntryLimits;
import io.eyrie.metastore.log.EventLog;
import io.eyrie.metastore.log.HiveEventLog;
import io.eyrie.testing.metastore.HiveMetastoreServer;
import io.eyrie.testing.metastore.MetastoreDatabase;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A real metastore: directly, as Presto calls it, and through the cache. */
record MetastoreUnderTest(HiveMetastoreServer server, ExtendedHiveMetastore direct, EventLog log, VersionedHiveMetastore cached)
        implements AutoCloseable
{
    private static final EntryLimits LIMITS = new EntryLimits(100_000_000, 100_000, java.time.Duration.ofHours(1), java.time.Duration.ofMinutes(10));

    static MetastoreUnderTest start(String name, MetastoreDatabase database, Map<String, String> properties)
    {
        HiveMetastoreServer server = HiveMetastoreServer.start(
                Path.of(System.getProperty("eyrie.hive-metastore.lib")),
                Path.of("target", "metastore-logs", name + "-" + database + ".log"),
                database,
                properties);
        return of(server, server.uri());
    }

    /** Returns the same metastore through the cache of another coordinator. */
    MetastoreUnderTest otherCoordinator()
    {
        return of(server, server.uri());
    }

    /** Returns a metastore that another process started. */
    @SuppressWarnings("NullAway") // it has no server here
    static MetastoreUnderTest ofAnotherProcess(URI uri, CountedMetastore counted)
    {
        return of(null, uri, counted);
    }

    static MetastoreUnderTest of(HiveMetastoreServer server, URI uri)
    {
        return of(server, uri, new CountedMetastore());
    }

    static MetastoreUnderTest of(HiveMetastoreServer server, URI uri, CountedMetastore counted)
    {
        return of(server, uri, counted, java.time.Duration.ofSeconds(30));
    }

    static MetastoreUnderTest of(HiveMetastoreServer server, URI uri, CountedMetastore counted, java.time.Duration timeout)
    {
        HiveCluster cluster = new StaticHiveCluster(
                List.of(uri),
                false,
                "",
                new HiveMetastoreClientFactory(
                        Optional.empty(),
                        Optional.empty(),
                        new Duration(timeout.toMillis(), TimeUnit.MILLISECONDS),
                        new NoHiveMetastoreAuthentication(),
                        null));
        MetastoreClientConfig config = new MetastoreClientConfig().setRequireHadoopNative(false);
        HdfsEnvironment files = LocalFiles.environment();
        ExtendedHiveMetastore direct = new BridgingHiveMetastore(new ThriftHiveMetastore(counted.cluster(cluster), config, files),
                new HivePartitionMutator());
        EventLog log = counted.log(new HiveEventLog(cluster));
        MetastoreCacheConfig all = new MetastoreCacheConfig(LIMITS, CachedKinds.ALL, false, false, java.time.Duration.ZERO);
        return new MetastoreUnderTest(server, direct, log, new VersionedHiveMetastore(direct, log, all));
    }

    /** Returns the metastore through another cache. */
    VersionedHiveMetastore cached(MetastoreCacheConfig config)
    {
        return new VersionedHiveMetastore(direct, log, config);
    }

    @Override
    public void close()
    {
        server.close();
    }
}
