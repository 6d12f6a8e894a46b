// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.statistics;

import com.facebook.presto.hive.HiveSplit;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.ConnectorSplit;
import com.facebook.presto.spi.ConnectorSplitSource;
import com.facebook.presto.spi.ConnectorTableLayoutHandle;
import com.facebook.presto.spi.SchemaTableName;
import com.facebook.presto.spi.classloader.ThreadContextClassLoader;
import com.facebook.presto.spi.connector.ConnectorTransactionHandle;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import com.google.inject.Inject;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.cache.log.LimitedLog;
import io.eyrie.cache.page.CacheMode;
import io.eyrie.cache.thread.Threads;
import io.eyrie.presto.affinity.MappedSplitSource;
import io.eyrie.presto.catalog.CacheModes;
import io.eyrie.presto.config.FileStatisticsConfig;
import io.eyrie.presto.config.FileStatisticsConfig.StatisticsMode;
import io.eyrie.presto.fragment.FileProofs;
import io.eyrie.presto.fragment.FileProofs.ExcludingScan;
import io.eyrie.presto.fragment.FileProofs.FactsKey;
import io.eyrie.presto.handle.EyrieLayoutHandle;
import io.eyrie.presto.ledger.Account;
import io.eyrie.presto.ledger.CacheLayer;
import io.eyrie.presto.ledger.Ledger;
import io.eyrie.presto.ledger.MissReason;
import io.eyrie.presto.statistics.FooterReads.FooterRead;

import javax.annotation.PreDestroy;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

import static java.util.Objects.requireNonNull;

/**
 * Drops splits of files that the files' own footers exclude from a scan, and has the footers of other files read for later queries. Runs on the coordinator.
 * Thread-safe; no query waits for a footer.
 */
public final class FilePruning
{
    private static final int MOST_SCANNED_TABLES = 10_000;
    private static final LimitedLog log = new LimitedLog(FilePruning.class, Level.WARNING);

    private final FileProofs proofs;
    private final LearnedFacts facts;
    private final FooterReads reads;
    private final Ledger ledger;
    private final boolean enabled;
    // the first query of each table: footers are read of tables that another query scanned before, as far as this process or the disk remembers. The temporary
    // tables of a query are never among them
    private final Cache<SchemaTableName, String> scanned = Caffeine.newBuilder().maximumSize(MOST_SCANNED_TABLES).build();
    private final LongAdder lookups = new LongAdder();
    private final LongAdder hits = new LongAdder();
    private final LongAdder dropped = new LongAdder();

    @Inject
    FilePruning(FileProofs proofs, LearnedFacts facts, ReadBudget budget, Ledger ledger, FileStatisticsConfig config)
    {
        this(proofs, facts, new FooterReads(facts, budget, Threads.SYSTEM, Ticker.systemTicker()), ledger, config.mode() != StatisticsMode.OFF);
    }

    FilePruning(FileProofs proofs, LearnedFacts facts, FooterReads reads, Ledger ledger, boolean enabled)
    {
        this.proofs = requireNonNull(proofs, "proofs is null");
        this.facts = requireNonNull(facts, "facts is null");
        this.reads = requireNonNull(reads, "reads is null");
        this.ledger = requireNonNull(ledger, "ledger is null");
        this.enabled = enabled;
    }

    @PreDestroy
    void close()
    {
        reads.close();
    }

    /** Whether the catalog uses statistics of files. */
    public boolean isEnabled()
    {
        return enabled;
    }

    /** Returns the splits of a scan, without those that footers exclude. */
    public ConnectorSplitSource pruned(ConnectorSplitSource splits, ConnectorTransactionHandle transaction, ConnectorSession session,
            ConnectorTableLayoutHandle layout)
    {
        if (!enabled || !(layout instanceof EyrieLayoutHandle handle) || handle.getWarming().isPresent()) {
            return splits;
        }
        CacheMode mode = CacheModes.of(session, CacheLayer.FILE_STATISTICS);
        if (mode == CacheMode.BYPASS) {
            return splits;
        }
        try {
            return proofs.scan(session, handle)
                    .<ConnectorSplitSource>map(scan -> new MappedSplitSource(splits, new PrunedScan(scan, transaction, session, handle,
                            mode)::remaining))
                    .orElse(splits);
        }
        catch (RuntimeException e) {
            log.log("A scan of " + handle.getSchemaTableName() + " could not be compared with the statistics of its files. Workers get all splits",
                    e);
            return splits;
        }
    }

    private final class PrunedScan
    {
        private final ExcludingScan scan;
        private final ConnectorTransactionHandle transaction;
        private final ConnectorSession session;
        private final EyrieLayoutHandle layout;
        private final CacheMode mode;
        private final SchemaTableName table;
        private final Account account;
        private final boolean again;

        PrunedScan(ExcludingScan scan, ConnectorTransactionHandle transaction, ConnectorSession session, EyrieLayoutHandle layout, CacheMode mode)
        {
            this.scan = scan;
            this.transaction = transaction;
            this.session = session;
            this.layout = layout;
            this.mode = mode;
            this.table = layout.getSchemaTableName();
            this.account = ledger.account(session.getQueryId(), ledger.scope(table),
                    CacheLayer.FILE_STATISTICS);
            String first = scanned.asMap().putIfAbsent(table, session.getQueryId());
            this.again = (first != null && !first.equals(session.getQueryId())) || facts.isStored(table);
        }

        /* Does not throw: on a failure, all splits remain. */
        List<ConnectorSplit> remaining(List<ConnectorSplit> splits)
        {
            try {
                return notExcluded(splits);
            }
            catch (RuntimeException e) {
                log.log("The splits of a scan of " + table + " could not be compared with the statistics of their files. Workers get all of them", e);
                return splits;
            }
        }

        private List<ConnectorSplit> notExcluded(List<ConnectorSplit> splits)
        {
            List<Optional<FactsKey>> keys = splits.stream().map(split -> scan.key((HiveSplit) split)).toList();
            Map<BlobKey, FileFacts> known = facts.find(table, keys.stream().flatMap(Optional::stream).distinct().toList());
            List<ConnectorSplit> remaining = new ArrayList<>();
            for (int i = 0; i < splits.size(); i++) {
                HiveSplit split = (HiveSplit) splits.get(i);
                Optional<FactsKey> key = keys.get(i);
                Optional<FileFacts> found = key.map(FactsKey::facts).map(known::get);
                lookups.increment();
                if (found.isEmpty()) {
                    missed(split, key);
                }
                else if (mode == CacheMode.DRY_RUN) {
                    account.misses(MissReason.DRY_RUN, 1, 0);
                }
                else {
                    hits.increment();
                    account.hits(1, 0);
                    if (scan.excludes(split, found.get())) {
                        dropped.increment();
                        FileProofs.dropped(session.getRuntimeStats());
                        continue;
                    }
                }
                remaining.add(split);
            }
            return remaining;
        }

        private void missed(HiveSplit split, Optional<FactsKey> key)
        {
            if (key.isEmpty()) {
                account.misses(MissReason.NO_STATISTICS, 1, 0);
                return;
            }
            boolean mayLearn = again && mode == CacheMode.READ_WRITE;
            MissReason reason = mayLearn ? switch (reads.offer(read(split, key.get()))) {
                case QUEUED, QUEUE_FULL, FAILED_BEFORE -> MissReason.NEVER_SEEN;
                case OVER_BUDGET -> MissReason.OVER_FOOTER_BUDGET;
            } : mode == CacheMode.READ_ONLY ? MissReason.READ_ONLY : MissReason.NEVER_SEEN;
            account.misses(reason, 1, 0);
        }

        @SuppressWarnings("try") // the resource is the thread's class loader
        private FooterRead read(HiveSplit split, FactsKey key)
        {
            return new FooterRead(table, key, account, stats -> {
                try (ThreadContextClassLoader ignored = new ThreadContextClassLoader(FilePruning.class.getClassLoader())) {
                    return FileFacts.of(proofs.read(transaction, new BackgroundSession(session, stats), split, layout, stats));
                }
            });
        }
    }

    /** Returns the counters. */
    public FileStatisticsStats stats()
    {
        return new FileStatisticsStats(
                lookups.sum(),
                hits.sum(),
                dropped.sum(),
                reads.files(),
                reads.failures(),
                reads.requests(),
                reads.bytes(),
                reads.queued(),
                facts.storedFactsFound(),
                facts.writtenBytes(),
                facts.entries(),
                facts.memoryBytes(),
                facts.capacityBytes());
    }
}
