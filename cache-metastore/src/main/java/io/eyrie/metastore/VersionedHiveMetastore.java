// SPDX-License-Identifier: Apache-2.0
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
import com.facebook.presto.hive.metastore.MetastoreUtil;
import com.facebook.presto.hive.metastore.Partition;
import com.facebook.presto.hive.metastore.PartitionStatistics;
import com.facebook.presto.hive.metastore.PartitionWithStatistics;
import com.facebook.presto.hive.metastore.Table;
import com.facebook.presto.spi.constraints.TableConstraint;
import com.facebook.presto.spi.security.PrestoPrincipal;
import com.facebook.presto.spi.security.RoleGrant;
import com.github.benmanes.caffeine.cache.Ticker;
import io.eyrie.cache.blob.BlobCache;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.metastore.QueryValidation.Outcome;
import io.eyrie.metastore.entry.CrashMark;
import io.eyrie.metastore.entry.Entries;
import io.eyrie.metastore.entry.EntryKind;
import io.eyrie.metastore.entry.EntryStore;
import io.eyrie.metastore.entry.Predicates;
import io.eyrie.metastore.entry.StoredStats;
import io.eyrie.metastore.entry.Subject;
import io.eyrie.metastore.entry.TableUsage;
import io.eyrie.metastore.files.ListStore;
import io.eyrie.metastore.files.TableVersions;
import io.eyrie.metastore.log.EventLog;
import io.eyrie.metastore.log.FollowerStats;
import io.eyrie.metastore.log.LogFollower;
import io.eyrie.metastore.log.LogPosition;
import io.eyrie.metastore.version.VersionSource;
import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.toMap;

/**
 * A metastore that caches values and validates them with the metastore's notification log or, without a log, by comparing them once for each query.
 *
 * <p>A query sees every change that was made through the metastore before the query began, and changes made through this object at once. Column statistics
 * change without an event and may be as old as the limits allow. Privileges and roles also change without an event; each query reads them from the metastore.
 * If the log exists but cannot be read, every call goes to the metastore once the configured grace period is over. Exceptions are those of the metastore.
 */
public final class VersionedHiveMetastore
        extends AbstractCachingHiveMetastore
        implements TableVersions, ListStore
{
    /*
     * Validation  once a query, before its first lookup: QueryValidation, LogFollower
     * Lookups     cached, compared or loaded: Answers
     * Versions    for file lists. A query that looked nothing up, because its transaction remembers the answers of an earlier query or because it bypasses the
     *             cache, reads the log when it lists. Without a log, a version is valid for a query if a metastore call since its validation found it
     * Subjects    entries belong to a table, a database or the list of databases (Subject); an event drops the entries of its subject
     * Writes      go to the metastore first, then drop the entries that they affect, whether they succeeded or not
     */
    private static final String ALL = "";

    private final ExtendedHiveMetastore delegate;
    private final Entries entries;
    private final Optional<LogFollower> follower;
    private final Optional<VersionSource> versions;
    private final QueryValidation validation;
    private final Answers answers;
    private volatile @Nullable EntryStore store;

    /** Caches a Hive Metastore that has a notification log. */
    public VersionedHiveMetastore(ExtendedHiveMetastore delegate, EventLog log, MetastoreCacheConfig config)
    {
        this(delegate, Optional.of(log), Optional.empty(), config, Ticker.systemTicker());
    }

    /** Caches a metastore that has no log but has versions. */
    public VersionedHiveMetastore(ExtendedHiveMetastore delegate, VersionSource versions, MetastoreCacheConfig config)
    {
        this(delegate, Optional.empty(), Optional.of(versions), config, Ticker.systemTicker());
    }

    VersionedHiveMetastore(
            ExtendedHiveMetastore delegate,
            Optional<EventLog> log,
            Optional<VersionSource> versions,
            MetastoreCacheConfig config,
            Ticker ticker)
    {
        this.delegate = requireNonNull(delegate, "delegate is null");
        this.entries = new Entries(config.limits(), ticker);
        this.follower = log.map(one -> new LogFollower(one, new EntryInvalidator(entries), config.grace(), ticker::read));
        this.versions = requireNonNull(versions, "versions is null");
        this.validation = new QueryValidation(follower, ticker);
        this.answers = new Answers(entries, validation, versions, config);
    }

    @Override
    public ExtendedHiveMetastore getDelegate()
    {
        return delegate;
    }

    /** Drops the entries of a table, of a database if {@code table} is empty, or all entries if both are empty. */
    public void forget(String database, String table)
    {
        if (database.isEmpty()) {
            invalidateAll();
        }
        else if (table.isEmpty()) {
            invalidateDatabaseCache(database);
        }
        else {
            invalidateTableCache(database, table);
        }
    }

    /** Sets the listener of later lookups. */
    public void setListener(LookupListener listener)
    {
        answers.setListener(listener);
    }

    /** Returns the size of the entries of each table and database. For interactive use: it visits all entries. */
    public Collection<TableUsage> held()
    {
        return entries.held();
    }

    public MetastoreCacheCounters counters()
    {
        EntryStore onDisk = store;
        return new MetastoreCacheCounters(entries.stats(), answers.bypasses(), follower.map(LogFollower::stats).orElse(FollowerStats.NONE),
                onDisk == null ? StoredStats.NONE : onDisk.stats());
    }

    /** Whether {@link #storeIn} stores anything: only a log, or a metastore's own versions, validate entries of an earlier process. */
    public boolean mayStore()
    {
        return follower.isPresent() || versions.filter(VersionSource::hasBytes).isPresent();
    }

    /**
     * Stores entries that the log or the metastore's own versions validate in a blob cache on this node's disk, and continues with those that an earlier process
     * stored there, if they still validate them. With neither, nothing is stored. Has no effect on queries that began before it. Reads from the disk.
     *
     * @param name the same for each process of this catalog, and different from those of all other states in the blob cache
     * @param mark changes when file lists are dropped for good
     */
    public void storeIn(BlobCache blobs, String name, CrashMark mark)
    {
        storeIn(blobs, name, mark, System::currentTimeMillis);
    }

    void storeIn(BlobCache blobs, String name, CrashMark mark, LongSupplier millis)
    {
        if (!mayStore()) {
            return;
        }
        EntryStore onDisk = new EntryStore(entries, blobs, name, millis, mark, versions);
        store = onDisk;
        onDisk.begin().ifPresent(root -> follower.ifPresentOrElse(
                log -> log.resumeFrom(LogPosition.decode(root.position()), () -> onDisk.restore(root)),
                () -> onDisk.restore(root)));
    }

    /**
     * Writes entries to the disk that are not stored there yet, as far as one call may. Waits for disks and for a running reading of the log; called behind queries,
     * by one thread at a time.
     *
     * @return whether there is more to write
     */
    public boolean flush()
    {
        return flush(false);
    }

    /**
     * Writes entries to the disk, like {@link #flush()}.
     *
     * @param last whether the process ends
     */
    public boolean flush(boolean last)
    {
        EntryStore onDisk = store;
        return onDisk != null && onDisk.flush(() -> follower.isEmpty()
                ? Optional.of(ByteBuffer.allocate(0))
                : follower.orElseThrow().position().map(LogPosition::encode), last);
    }

    @Override
    public Optional<Object> versionOf(String queryId, String database, String table, List<String> values)
    {
        if (queryId.isEmpty()) {
            return Optional.empty();
        }
        Outcome outcome = validation.latest(queryId);
        Subject subject = entries.table(database, table);
        List<String> normalized = PartitionValues.of(values);
        boolean isCurrent = switch (outcome.answer()) {
            case KEPT -> true;
            case COMPARED -> entries.isComparedSince(subject, normalized, outcome.sinceNanos());
            case ASKED_FOR -> false;
        };
        return isCurrent ? Optional.of(new Version(subject, subject.partitionVersion(normalized))) : Optional.empty();
    }

    @Override
    public Optional<StoredList> find(ListOwner owner, BlobKey identity)
    {
        EntryStore onDisk = store;
        return onDisk != null && owner.version() instanceof Version version
                ? onDisk.findList(version.subject(), PartitionValues.of(owner.values()), version.number(), identity)
                        .map(found -> new StoredList(found.list(), found.ageMillis()))
                : Optional.empty();
    }

    @Override
    public void offer(ListOwner owner, BlobKey identity, Supplier<Optional<byte[]>> list)
    {
        EntryStore onDisk = store;
        if (onDisk != null && owner.version() instanceof Version version) {
            onDisk.listKept(version.subject(), PartitionValues.of(owner.values()), version.number(), identity, list);
        }
    }

    @Override
    public void forget(String database, String table, boolean forGood)
    {
        EntryStore onDisk = store;
        if (onDisk != null) {
            onDisk.forgetLists(database, table, forGood);
        }
    }

    @Override
    public List<String> getAllDatabases(MetastoreContext context)
    {
        return answers.get(context, EntryKind.DATABASES, entries::databases, () -> delegate.getAllDatabases(context));
    }

    @Override
    public Optional<Database> getDatabase(MetastoreContext context, String database)
    {
        return answers.get(context, EntryKind.DATABASE, () -> entries.database(database), () -> delegate.getDatabase(context, database));
    }

    @Override
    public Optional<List<String>> getAllTables(MetastoreContext context, String database)
    {
        return answers.get(context, EntryKind.TABLES, () -> entries.database(database), () -> delegate.getAllTables(context, database));
    }

    @Override
    public Optional<List<String>> getAllViews(MetastoreContext context, String database)
    {
        return answers.get(context, EntryKind.VIEWS, () -> entries.database(database), () -> delegate.getAllViews(context, database));
    }

    @Override
    public Optional<Table> getTable(MetastoreContext context, String database, String table)
    {
        return getTable(context, new HiveTableHandle(database, table));
    }

    @Override
    public Optional<Table> getTable(MetastoreContext context, HiveTableHandle handle)
    {
        return answers.table(context, handle.getSchemaName(), handle.getTableName(), () -> delegate.getTable(context, handle));
    }

    @Override
    public List<TableConstraint<String>> getTableConstraints(MetastoreContext context, String database, String table)
    {
        return answers.get(context, EntryKind.CONSTRAINTS, () -> entries.table(database, table), () -> delegate.getTableConstraints(context, database,
                table));
    }

    @Override
    public PartitionStatistics getTableStatistics(MetastoreContext context, String database, String table)
    {
        return answers.ofTable(
                context,
                EntryKind.TABLE_STATISTICS,
                database,
                table,
                () -> delegate.getTableStatistics(context, database, table),
                () -> delegate.getTable(context, database, table));
    }

    @Override
    public Map<String, PartitionStatistics> getPartitionStatistics(MetastoreContext context, String database, String table, Set<String> names)
    {
        return answers.ofPartitions(
                context,
                EntryKind.PARTITION_STATISTICS,
                database,
                table,
                names,
                some -> delegate.getPartitionStatistics(context, database, table, Set.copyOf(some)),
                some -> delegate.getPartitionsByNames(context, database, table, MetastoreUtil.getPartitionNamesWithEmptyVersion(some)));
    }

    @Override
    public Optional<List<PartitionNameWithVersion>> getPartitionNames(MetastoreContext context, String database, String table)
    {
        return answers.names(context, database, table, ALL, () -> delegate.getPartitionNames(context, database, table));
    }

    @Override
    public List<PartitionNameWithVersion> getPartitionNamesByFilter(MetastoreContext context, String database, String table,
            Map<Column, Domain> predicates)
    {
        return answers.names(context, database, table, new Predicates(predicates), () -> Optional.of(delegate.getPartitionNamesByFilter(
                context,
                database,
                table,
                predicates))).orElse(List.of());
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
        return answers.partition(context, database, table, PartitionValues.of(values), () -> delegate.getPartition(context, database, table, values));
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
        return answers.partitions(context, database, table, byName.keySet(), some -> delegate.getPartitionsByNames(
                context,
                database,
                table,
                some.stream().map(byName::get).map(Objects::requireNonNull).toList()));
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
        return answers.onceAQuery(context, EntryKind.ROLES, entries::roles, ALL, () -> delegate.listRoles(context));
    }

    @Override
    public Set<RoleGrant> listRoleGrants(MetastoreContext context, PrestoPrincipal principal)
    {
        return answers.onceAQuery(context, EntryKind.ROLE_GRANTS, entries::roles, principal, () -> delegate.listRoleGrants(context, principal));
    }

    @Override
    public Set<HivePrivilegeInfo> listTablePrivileges(MetastoreContext context, String database, String table, @Nullable PrestoPrincipal principal)
    {
        return answers.onceAQuery(
                context,
                EntryKind.TABLE_PRIVILEGES,
                () -> entries.table(database, table),
                principal == null ? ALL : principal, // with null, Presto asks for the privileges of all principals
                () -> delegate.listTablePrivileges(context, database, table, principal));
    }

    @Override
    public Optional<Long> lock(MetastoreContext context, String database, String table)
    {
        try {
            return delegate.lock(context, database, table);
        }
        finally {
            // the lock's owner must read values from after the lock was taken
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
        invalidateTableCache(database, table);
    }

    @Override
    protected void invalidateRolesCache()
    {
        entries.rolesChanged();
    }

    @Override
    protected void invalidateRoleGrantsCache()
    {
        entries.rolesChanged();
    }

    /* Refers to its subject: a subject that was dropped and created again is another one, with another version. */
    private record Version(Subject subject, long number)
    {}
}
