// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore;

import com.facebook.presto.hive.PartitionNameWithVersion;
import com.facebook.presto.hive.metastore.MetastoreContext;
import com.facebook.presto.hive.metastore.Partition;
import com.facebook.presto.hive.metastore.Table;
import io.eyrie.cache.page.CacheMode;
import io.eyrie.metastore.LookupListener.LookupMiss;
import io.eyrie.metastore.MetastoreCacheConfig.CachedKinds;
import io.eyrie.metastore.QueryValidation.Outcome;
import io.eyrie.metastore.entry.Entries;
import io.eyrie.metastore.entry.EntryKey;
import io.eyrie.metastore.entry.EntryKind;
import io.eyrie.metastore.entry.MetastoreView;
import io.eyrie.metastore.entry.Predicates;
import io.eyrie.metastore.entry.Subject;
import io.eyrie.metastore.version.VersionSource;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.Supplier;

import static com.facebook.presto.common.RuntimeUnit.NONE;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.toMap;

/** Answers lookups from the cache as far as a query may rely on it, and otherwise with a call to the metastore. Thread-safe. */
final class Answers
{
    /*
     * With a log     cached entries answer: QueryValidation has already dropped everything that the log reports as changed
     * By comparing   each query reads the version of a table or partition once, or the table or partition itself if the metastore has no versions. Entries
     *                cached under this same version answer. Names, and whatever else has no version, are read once a query
     * Both           roles and privileges are read once a query
     */
    private static final String THE_ONE = "";

    private final Entries entries;
    private final QueryValidation validation;
    private final Optional<VersionSource> versions;
    private final MetastoreCacheConfig config;
    private final LongAdder bypasses = new LongAdder();
    private volatile LookupListener listener = LookupListener.NONE;

    Answers(Entries entries, QueryValidation validation, Optional<VersionSource> versions, MetastoreCacheConfig config)
    {
        this.entries = requireNonNull(entries, "entries is null");
        this.validation = requireNonNull(validation, "validation is null");
        this.versions = requireNonNull(versions, "versions is null");
        this.config = requireNonNull(config, "config is null");
    }

    void setListener(LookupListener newListener)
    {
        listener = requireNonNull(newListener, "newListener is null");
    }

    /** Returns the number of lookups that went to the metastore because nothing validated cached entries or because they are not cached. */
    long bypasses()
    {
        return bypasses.sum();
    }

    /**
     * Returns a value that neither a log nor a version covers: the result of a metastore call that began after the query's validation.
     *
     * @param which distinguishes the value from others of its kind and subject
     */
    <V> V onceAQuery(MetastoreContext context, EntryKind kind, Supplier<Subject> ofSubject, Object which, Supplier<V> source)
    {
        Outcome outcome = validated(context, kind, ofSubject.get(), 1);
        Subject subject = ofSubject.get();
        return outcome.answer() == QueryValidation.Answer.ASKED_FOR
                ? source.get()
                : compared(context, outcome, key(context, kind, subject, which), counted(context, subject, source));
    }

    /** Returns a value that has no version of its own. */
    <V> V get(MetastoreContext context, EntryKind kind, Supplier<Subject> ofSubject, Supplier<V> source)
    {
        Outcome outcome = validated(context, kind, ofSubject.get(), 1);
        Subject subject = ofSubject.get();
        return switch (outcome.answer()) {
            case ASKED_FOR -> source.get();
            case KEPT -> view(context, subject).get(key(context, kind, subject, THE_ONE), counted(context, subject, source));
            case COMPARED -> compared(context, outcome, key(context, kind, subject, THE_ONE), counted(context, subject, source));
        };
    }

    Optional<Table> table(MetastoreContext context, String database, String name, Supplier<Optional<Table>> source)
    {
        return versions.isEmpty()
                ? get(context, EntryKind.TABLE, () -> entries.table(database, name), source)
                : ofTable(context, EntryKind.TABLE, database, name, source, Optional::empty);
    }

    /**
     * Returns a value that depends on the version of its table.
     *
     * @param table reads the table itself from the metastore
     */
    <V> V ofTable(MetastoreContext context, EntryKind kind, String database, String name, Supplier<V> source, Supplier<Optional<Table>> table)
    {
        Outcome outcome = validated(context, kind, entries.table(database, name), 1);
        Subject subject = entries.table(database, name);
        EntryKey key = key(context, kind, subject, THE_ONE);
        return switch (outcome.answer()) {
            case ASKED_FOR -> source.get();
            case KEPT -> view(context, subject).get(key, counted(context, subject, source));
            case COMPARED -> {
                Optional<?> version = versions.isPresent()
                        ? compared(context, outcome, key(context, EntryKind.TABLE_VERSION, subject, THE_ONE), () -> versions.orElseThrow().ofTable(
                                context,
                                database, name))
                        : compared(context, outcome, key(context, EntryKind.TABLE, subject, THE_ONE), table);
                yield requireNonNull(view(context, subject).getAll(subject, List.of(THE_ONE), ignored -> key, ignored -> Map.of(THE_ONE, counted(
                        context, subject,
                        source)
                        .get()),
                        ignored -> version)
                        .get(THE_ONE));
            }
        };
    }

    /**
     * Returns names of partitions.
     *
     * @param which distinguishes this list from others of the table: predicates, or any other value
     */
    Optional<List<PartitionNameWithVersion>> names(MetastoreContext context, String database, String table, Object which,
            Supplier<Optional<List<PartitionNameWithVersion>>> source)
    {
        Outcome outcome = validated(context, EntryKind.PARTITION_NAMES, entries.table(database, table), 1);
        Subject subject = entries.table(database, table);
        EntryKey key = key(context, EntryKind.PARTITION_NAMES, subject, which);
        Supplier<Optional<List<String>>> loaded = () -> source.get().map(names -> names.stream().map(PartitionNameWithVersion::getPartitionName)
                .toList());
        if (outcome.answer() != QueryValidation.Answer.ASKED_FOR && which instanceof Predicates predicates && predicates.isLong()) {
            bypassed(context, subject, 1, LookupMiss.LONG_PREDICATE);
            return loaded.get().map(names -> withVersions(names, name -> outcome.answer() == QueryValidation.Answer.KEPT
                    ? handedOn(subject, PartitionValues.ofName(name))
                    : Optional.empty()));
        }
        Supplier<Optional<List<String>>> bare = counted(context, subject, loaded);
        return switch (outcome.answer()) {
            case ASKED_FOR -> source.get();
            case KEPT -> view(context, subject).get(key, bare).map(names -> withVersions(names, name -> handedOn(subject, PartitionValues.ofName(
                    name))));
            case COMPARED -> compared(context, outcome, key, bare).map(names -> withVersions(names, name -> Optional.empty()));
        };
    }

    Optional<Partition> partition(MetastoreContext context, String database, String table, List<String> values, Supplier<Optional<Partition>> source)
    {
        Outcome outcome = validated(context, EntryKind.PARTITION, entries.table(database, table), 1);
        Subject subject = entries.table(database, table);
        EntryKey key = key(context, EntryKind.PARTITION, subject, values);
        return switch (outcome.answer()) {
            case ASKED_FOR -> source.get();
            case KEPT -> view(context, subject).get(key, counted(context, subject, () -> {
                Optional<Long> version = handedOn(subject, values);
                return source.get().map(found -> withVersion(found, version));
            }));
            case COMPARED -> {
                if (tellPartitions()) { // their versions are looked up by name, not by values
                    bypassed(context, subject, 1, LookupMiss.NOT_VALIDATED);
                    yield source.get();
                }
                yield compared(context, outcome, key, counted(context, subject, source));
            }
        };
    }

    Map<String, Optional<Partition>> partitions(MetastoreContext context, String database, String table, Collection<String> names,
            Function<List<String>, Map<String, Optional<Partition>>> source)
    {
        Outcome outcome = validated(context, EntryKind.PARTITION, entries.table(database, table), names.size());
        Subject subject = entries.table(database, table);
        Function<String, EntryKey> keyOf = name -> key(context, EntryKind.PARTITION, subject, PartitionValues.ofName(name));
        return switch (outcome.answer()) {
            case ASKED_FOR -> source.apply(List.copyOf(names));
            case KEPT -> view(context, subject).getAll(subject, names, keyOf, counted(context, subject, some -> withVersions(subject, some, source)));
            case COMPARED -> tellPartitions()
                    ? view(context, subject).getAll(subject, names, keyOf, counted(context, subject, source), told(context, outcome, subject,
                            database, table,
                            names))
                    : view(context, subject).getAllSince(outcome.sinceNanos(), subject, names, keyOf, counted(context, subject, source));
        };
    }

    /**
     * Returns values that depend on the versions of their partitions.
     *
     * @param partitions reads the partitions themselves from the metastore
     */
    <V> Map<String, V> ofPartitions(MetastoreContext context, EntryKind kind, String database, String table, Collection<String> names,
            Function<List<String>, Map<String, V>> source, Function<List<String>, Map<String, Optional<Partition>>> partitions)
    {
        Outcome outcome = validated(context, kind, entries.table(database, table), names.size());
        Subject subject = entries.table(database, table);
        Function<String, EntryKey> keyOf = name -> key(context, kind, subject, PartitionValues.ofName(name));
        return switch (outcome.answer()) {
            case ASKED_FOR -> source.apply(List.copyOf(names));
            case KEPT -> view(context, subject).getAll(subject, names, keyOf, counted(context, subject, source));
            case COMPARED -> {
                Function<String, Optional<?>> versionOf;
                if (tellPartitions()) {
                    versionOf = told(context, outcome, subject, database, table, names);
                }
                else {
                    Map<String, Optional<Partition>> now = view(context, subject).getAllSince(outcome.sinceNanos(), subject, names,
                            name -> key(context, EntryKind.PARTITION, subject, PartitionValues.ofName(name)), partitions);
                    versionOf = name -> now.getOrDefault(name, Optional.empty());
                }
                yield view(context, subject).getAll(subject, names, keyOf, counted(context, subject, source), versionOf);
            }
        };
    }

    private boolean tellPartitions()
    {
        return versions.isPresent() && versions.orElseThrow().tellsPartitions();
    }

    private Function<String, Optional<?>> told(MetastoreContext context, Outcome outcome, Subject subject, String database, String table,
            Collection<String> names)
    {
        Map<String, Object> told = view(context, subject).getAllSince(
                outcome.sinceNanos(),
                subject,
                names,
                name -> key(context, EntryKind.PARTITION_VERSION, subject, PartitionValues.ofName(name)),
                some -> versions.orElseThrow().ofPartitions(context, database, table, some));
        return name -> Optional.ofNullable(told.get(name));
    }

    private <V> V compared(MetastoreContext context, Outcome outcome, EntryKey key, Supplier<V> source)
    {
        return requireNonNull(view(context, key.subject()).getAllSince(outcome.sinceNanos(), key.subject(), List.of(THE_ONE), ignored -> key,
                ignored -> Map.of(THE_ONE,
                        source.get()))
                .get(THE_ONE));
    }

    /* Validation may replace the subject, so callers look it up again afterwards. */
    private Outcome validated(MetastoreContext context, EntryKind kind, Subject subject, int lookups)
    {
        if ((config.scope() == CachedKinds.PARTITION && !kind.isOfPartition()) || listener.mode(context.getQueryId()) == CacheMode.BYPASS) {
            return Outcome.OUT_OF_SCOPE;
        }
        context.getRuntimeStats().addMetricValue("eyrieMetastoreLookups", NONE, lookups);
        listener.onLookups(asker(context, subject), lookups);
        Outcome outcome = validation.of(context.getQueryId());
        if (outcome.answer() == QueryValidation.Answer.ASKED_FOR) {
            bypassed(context, subject, lookups, LookupMiss.NOT_VALIDATED);
        }
        return outcome;
    }

    private void bypassed(MetastoreContext context, Subject subject, int lookups, LookupMiss why)
    {
        bypasses.add(lookups);
        missed(context, subject, lookups, why);
    }

    private <V> Supplier<V> counted(MetastoreContext context, Subject subject, Supplier<V> source)
    {
        return () -> counted(context, subject, 1, source);
    }

    private <V> Function<List<String>, Map<String, V>> counted(MetastoreContext context, Subject subject,
            Function<List<String>, Map<String, V>> source)
    {
        return names -> counted(context, subject, names.size(), () -> source.apply(names));
    }

    /* Counts the misses after the load, when it is known whether its values may be cached. */
    private <V> V counted(MetastoreContext context, Subject subject, int lookups, Supplier<V> source)
    {
        long stamp = subject.stamp();
        try {
            return source.get();
        }
        finally {
            LookupMiss current = subject.stamp() == stamp ? LookupMiss.ABSENT : LookupMiss.CHANGED;
            missed(context, subject, lookups, subject.accepts(reader(context, config.impersonation())) ? current : LookupMiss.TOO_MANY_USERS);
        }
    }

    private void missed(MetastoreContext context, Subject subject, int lookups, LookupMiss why)
    {
        context.getRuntimeStats().addMetricValue("eyrieMetastoreMisses", NONE, lookups);
        listener.onMisses(asker(context, subject), lookups, why);
    }

    private Entries.View view(MetastoreContext context, Subject subject)
    {
        return entries.as(listener.mode(context.getQueryId()), () -> listener.onDryRunHit(asker(context, subject)));
    }

    private static LookupListener.LookupOrigin asker(MetastoreContext context, Subject subject)
    {
        return new LookupListener.LookupOrigin(context.getQueryId(), subject.database(), subject.table());
    }

    private EntryKey key(MetastoreContext context, EntryKind kind, Subject subject, Object detail)
    {
        return new EntryKey(subject, reader(context, config.impersonation()), kind, detail);
    }

    static MetastoreView reader(MetastoreContext context, boolean impersonation)
    {
        return new MetastoreView(impersonation ? context.getUsername() : "", context.isUserDefinedTypeEncodingEnabled());
    }

    private Optional<Long> handedOn(Subject subject, List<String> values)
    {
        return config.versionsHandedOn() ? Optional.of(subject.partitionVersion(values)) : Optional.empty();
    }

    private static List<PartitionNameWithVersion> withVersions(List<String> names, Function<String, Optional<Long>> versionOf)
    {
        return names.stream().map(name -> new PartitionNameWithVersion(name, versionOf.apply(name))).toList();
    }

    private Map<String, Optional<Partition>> withVersions(Subject subject, List<String> names,
            Function<List<String>, Map<String, Optional<Partition>>> source)
    {
        // read before the partitions: a version may be older than its partition, never newer
        Map<String, Optional<Long>> before = names.stream().collect(toMap(Function.identity(), name -> handedOn(subject, PartitionValues.ofName(
                name))));
        Map<String, Optional<Partition>> loaded = new LinkedHashMap<>();
        source.apply(names).forEach((name, found) -> loaded.put(name, found.map(partition -> withVersion(partition, before.getOrDefault(name, Optional
                .empty())))));
        return loaded;
    }

    private static Partition withVersion(Partition partition, Optional<Long> version)
    {
        if (version.isEmpty()) {
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
                version,
                partition.isEligibleToIgnore(),
                partition.isSealedPartition(),
                partition.getCreateTime(),
                partition.getLastDataCommitTime(),
                partition.getRowIdPartitionComponent());
    }
}
