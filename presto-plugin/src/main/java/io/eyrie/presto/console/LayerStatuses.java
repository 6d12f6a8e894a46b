// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.console;

import io.eyrie.cache.file.Scope;
import io.eyrie.cache.page.CacheMode;
import io.eyrie.cache.page.PageCache;
import io.eyrie.cache.page.PageCacheStats;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.ScopeUsage;
import io.eyrie.cache.store.StorageClass;
import io.eyrie.footer.FooterKind;
import io.eyrie.footer.FooterStats;
import io.eyrie.fragment.result.FragmentStats;
import io.eyrie.metastore.LookupListener;
import io.eyrie.metastore.MetastoreCacheCounters;
import io.eyrie.metastore.VersionedHiveMetastore;
import io.eyrie.metastore.entry.EntryStats;
import io.eyrie.metastore.entry.StoredStats;
import io.eyrie.metastore.entry.TableUsage;
import io.eyrie.metastore.files.FileListStats;
import io.eyrie.metastore.files.FileLists;
import io.eyrie.presto.catalog.CacheModes;
import io.eyrie.presto.footer.FooterCaches;
import io.eyrie.presto.fragment.FragmentParts;
import io.eyrie.presto.ledger.Account;
import io.eyrie.presto.ledger.CacheLayer;
import io.eyrie.presto.ledger.Ledger;
import io.eyrie.presto.ledger.MissReason;
import io.eyrie.presto.ledger.WorkKind;
import io.eyrie.presto.statistics.FilePruning;
import io.eyrie.presto.statistics.FileStatisticsStats;

import javax.inject.Inject;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/** Collects the status of the layers of a catalog. Thread-safe. */
final class LayerStatuses
{
    private final Optional<PageCache> pages;
    private final Optional<FooterCaches> footers;
    private final Optional<VersionedHiveMetastore> metastore;
    private final FileLists lists;
    private final PlannedLayers planned;
    private final Ledger ledger;
    private final CacheModes modes;

    /** The layers that depend on plans. */
    record PlannedLayers(FragmentParts fragments, Optional<FilePruning> statistics)
    {
        @Inject
        PlannedLayers
        {
            requireNonNull(fragments, "fragments is null");
            requireNonNull(statistics, "statistics is null");
        }
    }

    @Inject
    LayerStatuses(
            Optional<PageCache> pages,
            Optional<FooterCaches> footers,
            Optional<VersionedHiveMetastore> metastore,
            FileLists lists,
            PlannedLayers planned,
            Ledger ledger,
            CacheModes modes)
    {
        this.modes = requireNonNull(modes, "modes is null");
        this.pages = requireNonNull(pages, "pages is null");
        this.footers = requireNonNull(footers, "footers is null");
        this.metastore = requireNonNull(metastore, "metastore is null");
        this.lists = requireNonNull(lists, "lists is null");
        this.planned = requireNonNull(planned, "planned is null");
        this.ledger = requireNonNull(ledger, "ledger is null");
        metastore.ifPresent(cache -> cache.setListener(new MetastoreLookups()));
    }

    /** Counts each lookup as a hit until it is reported as a miss. */
    private final class MetastoreLookups
            implements LookupListener
    {
        @Override
        public CacheMode mode(String queryId)
        {
            return modes.of(queryId, CacheLayer.METASTORE);
        }

        @Override
        public void onDryRunHit(LookupOrigin asker)
        {
            // also reported as a miss, before or after this
            account(asker).correct(MissReason.NEVER_SEEN, MissReason.DRY_RUN);
        }

        @Override
        public void onLookups(LookupOrigin asker, int lookups)
        {
            Account account = account(asker);
            account.hits(lookups, 0);
            account.requested(WorkKind.METASTORE_CALLS, calls(lookups));
        }

        @Override
        public void onMisses(LookupOrigin asker, int lookups, LookupMiss why)
        {
            Account account = account(asker);
            account.hits(-lookups, 0);
            account.misses(reason(mode(asker.queryId()), why), lookups, 0);
            account.done(WorkKind.METASTORE_CALLS, calls(lookups));
        }

        /* One call of the metastore answers all lookups of an event. */
        private int calls(int lookups)
        {
            return lookups == 0 ? 0 : 1;
        }

        private Account account(LookupOrigin asker)
        {
            return ledger.account(asker.queryId(), ledger.scope(asker.database(), asker.table(), ""), CacheLayer.METASTORE);
        }
    }

    static MissReason reason(CacheMode mode, LookupListener.LookupMiss why)
    {
        return switch (why) {
            case NOT_VALIDATED -> MissReason.NOT_VALIDATED;
            case LONG_PREDICATE -> MissReason.TOO_LARGE;
            case ABSENT -> uncached(mode, MissReason.NEVER_SEEN);
            case TOO_MANY_USERS -> uncached(mode, MissReason.TOO_MANY_USERS);
            case CHANGED -> uncached(mode, MissReason.OTHER_VERSION);
        };
    }

    /* Returns why an answer is not cached: of queries that cache nothing, their mode is the reason. */
    private static MissReason uncached(CacheMode mode, MissReason reason)
    {
        return switch (mode) {
            case READ_WRITE -> reason;
            case READ_ONLY -> MissReason.READ_ONLY;
            // a lookup that would have been a hit is corrected from this one
            case DRY_RUN, BYPASS -> MissReason.NEVER_SEEN;
        };
    }

    /** Returns a status for each layer that this node has, in the order in which queries pass them. */
    List<LayerStatus> all()
    {
        List<LayerStatus> all = new ArrayList<>();
        Map<StorageClass, ScopeUsage> held = held(pages);
        metastore.map(VersionedHiveMetastore::counters).map(LayerStatuses::metastore).ifPresent(all::add);
        all.add(lists(lists.stats()));
        planned.statistics().filter(pruning -> pruning.isEnabled() && planned.fragments().results().isPresent()).map(FilePruning::stats).map(
                LayerStatuses::statistics)
                .ifPresent(all::add);
        planned.fragments().results().map(results -> fragments(results.stats(), held(held, StorageClass.RESULT))).ifPresent(all::add);
        footers.map(FooterCaches::stats).map(stats -> footers(stats.values(), held(held, StorageClass.FOOTER))).ifPresent(all::add);
        pages.ifPresent(cache -> all.add(data(cache.stats(), held(held, StorageClass.DATA), ledger.layer(CacheLayer.DATA).hitBytes())));
        return all;
    }

    /** Returns the counters of the footers in memory by kind. */
    Map<FooterKind, FooterStats> footerKinds()
    {
        return footers.map(FooterCaches::stats).orElse(Map.of());
    }

    /** Returns the contents of the layers for each table or partition of this catalog: pages on disks, lists and entries in memory. */
    Map<Scope, Map<CacheLayer, ScopeUsage>> contents()
    {
        Map<Scope, Map<CacheLayer, ScopeUsage>> contents = new HashMap<>();
        pages.map(PageCache::contents).orElse(Map.of()).forEach((tags, held) -> {
            if (ledger.scope("", "", "").contains(tags.scope())) {
                of(contents, tags.scope()).merge(layer(tags.storageClass()), held, ScopeUsage::plus);
            }
        });
        metastore.ifPresent(cache -> inMemory(contents, CacheLayer.METASTORE, cache.held()));
        inMemory(contents, CacheLayer.FILE_LIST, lists.held());
        return contents;
    }

    private void inMemory(Map<Scope, Map<CacheLayer, ScopeUsage>> contents, CacheLayer layer, Collection<TableUsage> held)
    {
        held.forEach(table -> of(contents, ledger.scope(table.database(), table.table(), "")).put(layer, new ScopeUsage(table.entries(), table
                .bytes())));
    }

    private static Map<CacheLayer, ScopeUsage> of(Map<Scope, Map<CacheLayer, ScopeUsage>> contents, Scope scope)
    {
        return contents.computeIfAbsent(scope, any -> new EnumMap<>(CacheLayer.class));
    }

    private static CacheLayer layer(StorageClass storageClass)
    {
        return switch (storageClass) {
            case DATA -> CacheLayer.DATA;
            case FOOTER -> CacheLayer.FOOTER;
            case RESULT -> CacheLayer.FRAGMENT;
        };
    }

    private static Map<StorageClass, ScopeUsage> held(Optional<PageCache> pages)
    {
        Map<StorageClass, ScopeUsage> held = new EnumMap<>(StorageClass.class);
        for (Map.Entry<PageTags, ScopeUsage> entry : pages.map(PageCache::contents).orElse(Map.of()).entrySet()) {
            held.merge(entry.getKey().storageClass(), entry.getValue(), ScopeUsage::plus);
        }
        return held;
    }

    private static ScopeUsage held(Map<StorageClass, ScopeUsage> held, StorageClass storageClass)
    {
        return held.getOrDefault(storageClass, ScopeUsage.NOTHING);
    }

    private static LayerStatus metastore(MetastoreCacheCounters counters)
    {
        EntryStats entries = counters.entries();
        StoredStats stored = counters.stored();
        return new LayerStatus(CacheLayer.METASTORE, stored.undecodables())
                .holding(entries.currentEntries(), entries.currentBytes())
                .evicted(entries.evictions())
                .wrote(stored.writeBytes());
    }

    private static LayerStatus lists(FileListStats stats)
    {
        return new LayerStatus(CacheLayer.FILE_LIST, 0)
                .holding(stats.currentLists(), stats.currentBytes())
                .within(stats.capacityBytes())
                .evicted(stats.evictions());
    }

    private static LayerStatus statistics(FileStatisticsStats stats)
    {
        return new LayerStatus(CacheLayer.FILE_STATISTICS, stats.readFailures())
                .holding(stats.currentFiles(), stats.currentBytes())
                .within(stats.capacityBytes())
                .wrote(stats.storedWriteBytes());
    }

    private static LayerStatus fragments(FragmentStats stats, ScopeUsage held)
    {
        return new LayerStatus(CacheLayer.FRAGMENT, stats.undecodable())
                .holding(held.pages(), held.bytes())
                .wrote(stats.publishedBytes())
                .saved(stats.savedInputBytes());
    }

    private static LayerStatus footers(Collection<FooterStats> kinds, ScopeUsage held)
    {
        return new LayerStatus(CacheLayer.FOOTER, kinds.stream().mapToLong(FooterStats::loadFailures).sum()).holding(held.pages(), held.bytes());
    }

    private static LayerStatus data(PageCacheStats stats, ScopeUsage held, long hitBytes)
    {
        return new LayerStatus(CacheLayer.DATA, stats.lookup().errors() + stats.write().failedWrites())
                .holding(held.pages(), held.bytes())
                .within(stats.store().capacityBytes())
                .evicted(stats.store().evictions())
                .wrote(stats.write().writtenBytes())
                .saved(hitBytes);
    }
}
