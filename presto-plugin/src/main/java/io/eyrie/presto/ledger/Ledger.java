// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.ledger;

import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.spi.SchemaTableName;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.file.StoreId;
import io.eyrie.footer.FooterKind;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;

import static java.util.Objects.requireNonNull;

/**
 * Records the work of a catalog's layers on this node since the process began: in total, for the latest thousand queries, by table and partition, and by file.
 * Bounded. Thread-safe.
 */
public final class Ledger
{
    private static final int MOST_QUERIES = 1000;
    private static final int MOST_SCOPES = 5_000;
    private static final int MOST_FILES = 5_000;

    private final String catalog;
    private final Savings savings = new Savings();
    private final ConcurrentMap<CacheLayer, Tally> layers = new ConcurrentHashMap<>();
    // guarded by itself
    private final Map<String, Query> queries = new LinkedHashMap<>();
    private final Cache<Scope, ConcurrentMap<CacheLayer, Tally>> scopes = Caffeine.newBuilder().maximumSize(MOST_SCOPES).build();
    private final Cache<FileName, SeenFile> files = Caffeine.newBuilder().maximumSize(MOST_FILES).build();
    private final Cache<RuntimeStats, String> queryIds = Caffeine.newBuilder().weakKeys().build();

    private record FileName(StoreId store, String path)
    {}

    /** The work of the layers for one query. Thread-safe. */
    public static final class Query
    {
        private final Instant began = Instant.now();
        private final ConcurrentMap<CacheLayer, Tally> layers = new ConcurrentHashMap<>();
        private volatile String user = "";

        /** Returns when the query first used this node's caches. */
        public Instant began()
        {
            return began;
        }

        /** Returns the query's user; {@code ""} if it is not known. */
        public String user()
        {
            return user;
        }

        public Map<CacheLayer, Tally> layers()
        {
            return Collections.unmodifiableMap(layers);
        }
    }

    /**
     * A file that was opened, in the version that was opened last.
     *
     * @param loaded the kinds of footers that were loaded from it
     * @param otherVersion whether another version was opened before
     */
    public record SeenFile(FileVersion version, Scope scope, boolean otherVersion, Tally tally, Set<FooterKind> loaded)
    {}

    /** Creates the accounts of a query's file, for its version. */
    public final class OpenedFile
    {
        private final String queryId;
        private final SeenFile file;

        private OpenedFile(String queryId, SeenFile file)
        {
            this.queryId = queryId;
            this.file = file;
        }

        public Account account(CacheLayer layer)
        {
            List<Tally> tallies = shared(queryId, file.scope(), layer);
            if (layer == CacheLayer.DATA) {
                tallies.add(file.tally());
            }
            return new Account(tallies, file.otherVersion(), savings.of(file.scope()));
        }

        /** Returns whether a footer of this kind was loaded from this version before, and records that it was. */
        public boolean wasLoaded(FooterKind kind)
        {
            return !file.loaded().add(kind);
        }
    }

    /** Creates the ledger of one catalog. */
    public Ledger(String catalog)
    {
        this.catalog = requireNonNull(catalog, "catalog is null");
    }

    /** Returns the scope of a schema, a table or a partition of the catalog; {@code ""} stands for any. */
    public Scope scope(String schema, String table, String partition)
    {
        return new Scope(catalog, schema, table, partition);
    }

    /** Returns the scope of a table. */
    public Scope scope(SchemaTableName table)
    {
        return scope(table.getSchemaName(), table.getTableName(), "");
    }

    /** Records that a query opens a file. */
    public OpenedFile opened(String queryId, FileVersion version, Scope scope)
    {
        SeenFile seen = files.asMap().compute(
                new FileName(version.store(), version.path()),
                (name, known) -> known != null && known.version().equals(version)
                        ? known
                        : new SeenFile(version, scope, known != null, new Tally(), ConcurrentHashMap.newKeySet()));
        return new OpenedFile(queryId, seen);
    }

    /** Records which query the statistics belong to, for callers that know a query only by them. */
    public void began(String queryId, RuntimeStats stats)
    {
        queryIds.put(stats, queryId);
    }

    /** Records a query's user, for callers that know a query only by its id. */
    public void began(String queryId, String user)
    {
        query(queryId).user = user;
    }

    /** Returns the query that the statistics belong to; {@code ""} if it is not known. */
    public String queryOf(RuntimeStats stats)
    {
        return queryIds.get(stats, any -> "");
    }

    /** Returns the account of a layer for a query of a table, or of a partition of it. */
    public Account account(String queryId, Scope scope, CacheLayer layer)
    {
        return new Account(shared(queryId, scope, layer), false, savings.of(scope));
    }

    private List<Tally> shared(String queryId, Scope scope, CacheLayer layer)
    {
        List<Tally> tallies = new ArrayList<>();
        tallies.add(tally(layers, layer));
        tallies.add(tally(scopes.get(scope, any -> new ConcurrentHashMap<>()), layer));
        if (!queryId.isEmpty()) {
            tallies.add(tally(query(queryId).layers, layer));
        }
        return tallies;
    }

    private Query query(String queryId)
    {
        synchronized (queries) {
            Query query = queries.computeIfAbsent(queryId, any -> new Query());
            if (queries.size() > MOST_QUERIES) {
                queries.remove(queries.keySet().iterator().next());
            }
            return query;
        }
    }

    /** Returns the savings of the caches, by day and table. */
    public Savings savings()
    {
        return savings;
    }

    /** Returns the total of a layer. */
    public Tally layer(CacheLayer layer)
    {
        return tally(layers, layer);
    }

    /** Visits the latest queries, the oldest first. */
    public void forEachQuery(BiConsumer<String, Query> action)
    {
        Map<String, Query> copy;
        synchronized (queries) {
            copy = new LinkedHashMap<>(queries);
        }
        copy.forEach(action);
    }

    public Map<Scope, ConcurrentMap<CacheLayer, Tally>> scopes()
    {
        return Collections.unmodifiableMap(scopes.asMap());
    }

    public Collection<SeenFile> files()
    {
        return files.asMap().values();
    }

    /**
     * Whether this node has read or listed files of a scope, as far as it remembers: the latest thousands of tables and partitions since it started, and the
     * tables of its savings. A lookup of metadata alone does not count, because it may be of a name that does not exist.
     */
    public boolean hasSeenFiles(Scope scope)
    {
        for (Map.Entry<Scope, ConcurrentMap<CacheLayer, Tally>> seen : scopes.asMap().entrySet()) {
            if (scope.contains(seen.getKey()) && seen.getValue().keySet().stream().anyMatch(layer -> layer != CacheLayer.METASTORE)) {
                return true;
            }
        }
        AtomicBoolean found = new AtomicBoolean();
        savings.forEach((row, amounts) -> {
            if (amounts.requested(WorkKind.LIST_REQUESTS) + amounts.requested(WorkKind.BYTES) > 0 && scope.contains(scope(row.schema(), row.table(),
                    ""))) {
                found.set(true);
            }
        });
        return found.get();
    }

    /** Returns the partitions of a table that this node has seen lately; a few thousand at most. */
    public List<String> partitionsOf(Scope table)
    {
        return scopes.asMap().keySet().stream().filter(seen -> table.contains(seen) && !seen.partition().isEmpty()).map(Scope::partition).toList();
    }

    private static Tally tally(ConcurrentMap<CacheLayer, Tally> tallies, CacheLayer layer)
    {
        return tallies.computeIfAbsent(layer, any -> new Tally());
    }
}
