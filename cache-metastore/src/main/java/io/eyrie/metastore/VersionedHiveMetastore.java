package io.eyrie.metastore;

import com.facebook.presto.common.predicate.Domain;
import com.facebook.presto.hive.HiveTableHandle;
import com.facebook.presto.hive.PartitionNameWithVersion;
import com.facebook.presto.hive.metastore.AbstractCachingHiveMetastore;
import com.facebook.presto.hive.metastore.Column;
import com.facebook.presto.hive.metastore.Database;
import com.facebook.presto.hive.metastore.ExtendedHiveMetastore;
import com.facebook.presto.hive.metastore.HivePrivilegeInfo;
import com.facebook.presto.hive.metastore.MetastoreContext;
import com.facebook.presto.hive.metastore.MetastoreOperationResult;
import com.facebook.presto.hive.metastore.Partition;
import com.facebook.presto.hive.metastore.PartitionStatistics;
import com.facebook.presto.hive.metastore.PartitionWithStatistics;
import com.facebook.presto.hive.metastore.Table;
import com.facebook.presto.spi.constraints.TableConstraint;
import com.facebook.presto.spi.security.PrestoPrincipal;
import com.facebook.presto.spi.security.RoleGrant;
import com.github.benmanes.caffeine.cache.Ticker;
import io.eyrie.metastore.MetastoreCacheConfig.Scope;
import io.eyrie.metastore.entry.Entries;
import io.eyrie.metastore.entry.EntryKey;
import io.eyrie.metastore.entry.Kind;
import io.eyrie.metastore.entry.Reader;
import io.eyrie.metastore.entry.Subject;
import io.eyrie.metastore.files.TableVersions;
import io.eyrie.metastore.log.EventLog;
import io.eyrie.metastore.log.LogFollower;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.Supplier;

import static com.facebook.presto.common.RuntimeUnit.NONE;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.toMap;

/**
 * A Hive Metastore whose answers are kept as long as its notification log says that they hold.
 *
 * <p>A query sees every change that was made through the metastore before the query began, and those that were made through this object at once. Column
 * statistics, which change without an event, may be as old as the limits say. Privileges and roles change without an event too and are asked for each time. Where
 * the log cannot be read, every call goes to the metastore. Exceptions are the metastore's own.
 */
public final class VersionedHiveMetastore
        extends AbstractCachingHiveMetastore
        implements TableVersions
{
    /*
     * Validation  once a query, before its first lookup: QueryValidation, LogFollower
     * Kept by     table, database and the list of databases: Subject; what an event names is forgotten
     * Writes      reach the metastore first, then what they touch is forgotten, whether they succeeded or not
     */
    private static final String THE_ONE = "";

    private final ExtendedHiveMetastore delegate;
    private final MetastoreCacheConfig config;
    private final Entries entries;
    private final LogFollower follower;
    private final QueryValidation validation;
    private final LongAdder bypasses = new LongAdder();

    public VersionedHiveMetastore(ExtendedHiveMetastore delegate, EventLog log, MetastoreCacheConfig config)
    {
        this(delegate, log, config, Ticker.systemTicker());
    }

    VersionedHiveMetastore(ExtendedHiveMetastore delegate, EventLog log, MetastoreCacheConfig config, Ticker ticker)
    {
        this.delegate = requireNonNull(delegate, "delegate is null");
        this.config = requireNonNull(config, "config is null");
        this.entries = new Entries(config.limits(), ticker);
        this.follower = new LogFollower(log, new Forgetting(entries), config.grace(), ticker::read);
        this.validation = new QueryValidation(follower, ticker);
    }

    @Override
    public ExtendedHiveMetastore getDelegate()
    {
        return delegate;
    }

    public MetastoreCacheCounters counters()
    {
        return new MetastoreCacheCounters(entries.stats(), bypasses.sum(), follower.stats());
    }

    @Override
    public Optional<Object> versionOf(String database, String table, List<String> values)
    {
        if (config.scope() == Scope.PARTITION && values.isEmpty()) {
            follower.follow(); // tables are not kept, so no lookup of the query has
        }
        if (!follower.isVouching()) {
            return Optional.empty();
        }
        Subject subject = entries.table(database, table);
        return Optional.of(new Version(subject, subject.partitionVersion(PartitionValues.of(values))));
    }

    @Override
    public List<String> getAllDatabases(MetastoreContext context)
    {
        return get(context, Kind.DATABASES, entries::databases, () -> delegate.getAllDatabases(context));
    }

    @Override
    public Optional<Database> getDatabase(MetastoreContext context, String database)
    {
        return get(context, Kind.DATABASE, () -> entries.database(database), () -> delegate.getDatabase(context, database));
    }

    @Override
    public Optional<List<String>> getAllTables(MetastoreContext context, String database)
    {
        return get(context, Kind.TABLES, () -> entries.database(database), () -> delegate.getAllTables(context, database));
    }

    @Override
    public Optional<List<String>> getAllViews(MetastoreContext context, String database)
    {
        return get(context, Kind.VIEWS, () -> entries.database(database), () -> delegate.getAllViews(context, database));
    }

    @Override
    public Optional<Table> getTable(MetastoreContext context, String database, String table)
    {
        return getTable(context, new HiveTableHandle(database, table));
    }

    @Override
    public Optional<Table> getTable(MetastoreContext context, HiveTableHandle handle)
    {
        return get(
                context,
                Kind.TABLE,
                () -> entries.table(handle.getSchemaName(), handle.getTableName()),
                () -> delegate.getTable(context, handle));
    }

    @Override
    public List<TableConstraint<String>> getTableConstraints(MetastoreContext context, String database, String table)
    {
        return get(context, Kind.CONSTRAINTS, () -> entries.table(database, table), () -> delegate.getTableConstraints(context, database, table));
    }

    @Override
    public PartitionStatistics getTableStatistics(MetastoreContext context, String database, String table)
    {
        return get(context, Kind.TABLE_STATISTICS, () -> entries.table(database, table), () -> delegate.getTableStatistics(context, database, table));
    }

    @Override
    public Map<String, PartitionStatistics> getPartitionStatistics(MetastoreContext context, String database, String table, Set<String> names)
    {
        if (bypassed(context, Kind.PARTITION_STATISTICS, names.size())) {
            return delegate.getPartitionStatistics(context, database, table, names);
        }
        Subject subject = entries.table(database, table);
        return entries.getAll(
                subject,
                names,
                name -> key(context, Kind.PARTITION_STATISTICS, subject, PartitionValues.ofName(name)),
                missing -> {
                    missed(context, missing.size());
                    return delegate.getPartitionStatistics(context, database, table, Set.copyOf(missing));
                });
    }

    @Override
    public Optional<List<PartitionNameWithVersion>> getPartitionNames(MetastoreContext context, String database, String table)
    {
        if (bypassed(context, Kind.PARTITION_NAMES, 1)) {
            return delegate.getPartitionNames(context, database, table);
        }
        Subject subject = entries.table(database, table);
        Optional<List<String>> names = get(
                context,
                key(context, Kind.PARTITION_NAMES, subject, THE_ONE),
                () -> delegate.getPartitionNames(context, database, table).map(VersionedHiveMetastore::withoutVersions));
        return names.map(all -> withVersions(subject, all));
    }

    @Override
    public List<PartitionNameWithVersion> getPartitionNamesByFilter(MetastoreContext context, String database, String table,
            Map<Column, Domain> predicates)
    {
        if (bypassed(context, Kind.PARTITION_NAMES, 1)) {
            return delegate.getPartitionNamesByFilter(context, database, table, predicates);
        }
        Subject subject = entries.table(database, table);
        List<String> names = get(
                context,
                key(context, Kind.PARTITION_NAMES, subject, Map.copyOf(predicates)),
                () -> withoutVersions(delegate.getPartitionNamesByFilter(context, database, table, predicates)));
        return withVersions(subject, names);
    }

    @Override
    public List<PartitionNameWithVersion> getPartitionNamesWithVersionByFilter(
            MetastoreContext context,
            String database,
            String table,
            Map<Column, Domain> predicates)
    {
        return getPartitionNamesByFilter(context, database, table, predicates);
    }

    @Override
    public Optional<Partition> getPartition(MetastoreContext context, String database, String table, List<String> values)
    {
        if (bypassed(context, Kind.PARTITION, 1)) {
            return delegate.getPartition(context, database, table, values);
        }
        Subject subject = entries.table(database, table);
        List<String> partition = PartitionValues.of(values);
        return get(context, key(context, Kind.PARTITION, subject, partition), () -> {
            long version = subject.partitionVersion(partition);
            return delegate.getPartition(context, database, table, values).map(found -> withVersion(found, version));
        });
    }

    @Override
    public Map<String, Optional<Partition>> getPartitionsByNames(
            MetastoreContext context,
            String database,
            String table,
            List<PartitionNameWithVersion> names)
    {
        Map<String, PartitionNameWithVersion> byName = names.stream()
                .collect(toMap(PartitionNameWithVersion::getPartitionName, Function.identity(), (one, same) -> one, LinkedHashMap::new));
        if (bypassed(context, Kind.PARTITION, byName.size())) {
            return delegate.getPartitionsByNames(context, database, table, names);
        }
        Subject subject = entries.table(database, table);
        return entries.getAll(
                subject,
                byName.keySet(),
                name -> key(context, Kind.PARTITION, subject, PartitionValues.ofName(name)),
                missing -> {
                    missed(context, missing.size());
                    // before the partitions: a version may be older than what it names, never newer
                    Map<String, Long> versions = missing.stream()
                            .collect(toMap(Function.identity(), name -> subject.partitionVersion(PartitionValues.ofName(name))));
                    Map<String, Optional<Partition>> loaded = new LinkedHashMap<>();
                    delegate.getPartitionsByNames(context, database, table, missing.stream().map(byName::get).map(Objects::requireNonNull).toList())
                            .forEach((name, found) -> loaded.put(name, found.map(partition -> withVersion(partition, versions.getOrDefault(name,
                                    0L)))));
                    return loaded;
                });
    }

    @Override
    public void updateTableStatistics(
            MetastoreContext context,
            String database,
            String table,
            Function<PartitionStatistics, PartitionStatistics> update)
    {
        try {
            delegate.updateTableStatistics(context, database, table, update);
        }
        finally {
            invalidateTableCache(database, table);
        }
    }

    @Override
    public void updatePartitionStatistics(
            MetastoreContext context,
            String database,
            String table,
            String partitionName,
            Function<PartitionStatistics, PartitionStatistics> update)
    {
        try {
            delegate.updatePartitionStatistics(context, database, table, partitionName, update);
        }
        finally {
            entries.partitionsChanged(database, table, List.of(PartitionValues.ofName(partitionName)), false);
        }
    }

    @Override
    public MetastoreOperationResult addPartitions(MetastoreContext context, String database, String table, List<PartitionWithStatistics> partitions)
    {
        try {
            return delegate.addPartitions(context, database, table, partitions);
        }
        finally {
            List<List<String>> values = partitions.stream().map(added -> PartitionValues.of(added.getPartition().getValues())).toList();
            entries.partitionsChanged(database, table, values, true);
        }
    }

    @Override
    public void dropPartition(MetastoreContext context, String database, String table, List<String> values, boolean deleteData)
    {
        try {
            delegate.dropPartition(context, database, table, values, deleteData);
        }
        finally {
            entries.partitionsChanged(database, table, List.of(PartitionValues.of(values)), true);
        }
    }

    @Override
    public MetastoreOperationResult alterPartition(MetastoreContext context, String database, String table, PartitionWithStatistics partition)
    {
        try {
            return delegate.alterPartition(context, database, table, partition);
        }
        finally {
            entries.partitionsChanged(database, table, List.of(PartitionValues.of(partition.getPartition().getValues())), false);
        }
    }

    @Override
    public Set<String> listRoles(MetastoreContext context)
    {
        return delegate.listRoles(context);
    }

    @Override
    public Set<RoleGrant> listRoleGrants(MetastoreContext context, PrestoPrincipal principal)
    {
        return delegate.listRoleGrants(context, principal);
    }

    @Override
    public Set<HivePrivilegeInfo> listTablePrivileges(MetastoreContext context, String database, String table, PrestoPrincipal principal)
    {
        return delegate.listTablePrivileges(context, database, table, principal);
    }

    @Override
    public Optional<Long> lock(MetastoreContext context, String database, String table)
    {
        try {
            return delegate.lock(context, database, table);
        }
        finally {
            // what the lock's owner reads from now on is of the time of the lock
            invalidateTableCache(database, table);
        }
    }

    @Override
    public int getPartitionCommitBatchSize()
    {
        return delegate.getPartitionCommitBatchSize();
    }

    @Override
    protected void invalidateAll()
    {
        entries.everythingChanged();
    }

    @Override
    protected void invalidateDatabaseCache(String database)
    {
        entries.databaseChanged(database);
    }

    @Override
    protected void invalidateTableCache(String database, String table)
    {
        entries.tableChanged(database, table);
    }

    @Override
    protected void invalidatePartitionCache(String database, String table)
    {
        entries.tableChanged(database, table);
    }

    @Override
    protected void invalidateTablePrivilegesCache(PrestoPrincipal grantee, String database, String table)
    {
        // none are kept
    }

    @Override
    protected void invalidateRolesCache()
    {
        // none are kept
    }

    @Override
    protected void invalidateRoleGrantsCache()
    {
        // none are kept
    }

    private <V> V get(MetastoreContext context, Kind kind, Supplier<Subject> subject, Supplier<V> source)
    {
        if (bypassed(context, kind, 1)) {
            return source.get();
        }
        return get(context, key(context, kind, subject.get(), THE_ONE), source);
    }

    private <V> V get(MetastoreContext context, EntryKey key, Supplier<V> source)
    {
        return entries.get(key, () -> {
            missed(context, 1);
            return source.get();
        });
    }

    private boolean bypassed(MetastoreContext context, Kind kind, int lookups)
    {
        if (config.scope() == Scope.PARTITION && !kind.isOfPartition()) {
            return true;
        }
        context.getRuntimeStats().addMetricValue("eyrieMetastoreLookups", NONE, lookups);
        if (validation.holds(context.getQueryId())) {
            return false;
        }
        bypasses.add(lookups);
        missed(context, lookups);
        return true;
    }

    private static void missed(MetastoreContext context, int lookups)
    {
        context.getRuntimeStats().addMetricValue("eyrieMetastoreMisses", NONE, lookups);
    }

    private EntryKey key(MetastoreContext context, Kind kind, Subject subject, Object detail)
    {
        Reader reader = new Reader(config.impersonation() ? context.getUsername() : "", context.isUserDefinedTypeEncodingEnabled());
        return new EntryKey(subject, reader, kind, detail);
    }

    private static List<String> withoutVersions(List<PartitionNameWithVersion> names)
    {
        return names.stream().map(PartitionNameWithVersion::getPartitionName).toList();
    }

    private List<PartitionNameWithVersion> withVersions(Subject subject, List<String> names)
    {
        return names.stream()
                .map(
                        name -> new PartitionNameWithVersion(
                                name,
                                config.versionsHandedOn() ? Optional.of(subject.partitionVersion(PartitionValues.ofName(name))) : Optional.empty()))
                .toList();
    }

    private Partition withVersion(Partition partition, long version)
    {
        if (!config.versionsHandedOn()) {
            return partition;
        }
        return new Partition(
                partition.getCatalogName(),
                partition.getDatabaseName(),
                partition.getTableName(),
                partition.getValues(),
                partition.getStorage(),
                partition.getColumns(),
                partition.getParameters(),
                Optional.of(version),
                partition.isEligibleToIgnore(),
                partition.isSealedPartition(),
                partition.getCreateTime(),
                partition.getLastDataCommitTime(),
                partition.getRowIdPartitionComponent());
    }

    /* Holds its subject, which would have another version if it came back. */
    private record Version(Subject subject, long number)
    {}
}
