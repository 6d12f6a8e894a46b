package io.eyrie.presto.fragment;

import com.facebook.presto.common.Page;
import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.common.predicate.Domain;
import com.facebook.presto.hive.HiveColumnHandle;
import com.facebook.presto.hive.HivePartitionKey;
import com.facebook.presto.hive.HiveSplit;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.relation.RowExpression;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.inject.Inject;
import io.airlift.slice.Slices;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.page.CacheMode;
import io.eyrie.fragment.key.CanonicalLeaf;
import io.eyrie.fragment.key.ClockConstants;
import io.eyrie.fragment.key.FragmentKey;
import io.eyrie.fragment.key.SplitKey;
import io.eyrie.fragment.leaf.Leaf;
import io.eyrie.fragment.result.FragmentResults;
import io.eyrie.fragment.result.Lookup;
import io.eyrie.fragment.statistics.SplitPredicate;
import io.eyrie.presto.filesystem.CachingPageSourceProvider;
import io.eyrie.presto.fragment.FragmentRuntimeStats.Miss;
import io.eyrie.presto.ledger.Account;
import io.eyrie.presto.ledger.CacheLayer;
import io.eyrie.presto.ledger.Ledger;
import io.eyrie.presto.ledger.MissReason;
import io.eyrie.presto.session.CacheModes;

import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.function.Supplier;

import static com.facebook.presto.common.type.Varchars.isVarcharType;
import static java.util.Objects.requireNonNull;

/** Makes of a plan's leaf the leaf of one split, without what is known of its rows, and asks for its result. Thread-safe. */
final class SplitLeaves
{
    private final Optional<FragmentResults> results;
    private final Optional<LeafEngine> engine;
    private final SplitVersions versions;
    private final SplitKeys keys;
    private final FileStatistics statistics;
    private final SplitPredicate.Factory predicates;
    private final CanonicalLeaf.Factory canonical;
    private final Ledger ledger;
    private final Cache<FragmentLayoutHandle, Scan> scans = Caffeine.newBuilder().weakKeys().build();

    @Inject
    SplitLeaves(
            FragmentParts parts,
            SplitVersions versions,
            SplitKeys keys,
            FileStatistics statistics,
            SplitPredicate.Factory predicates,
            CanonicalLeaf.Factory canonical,
            Ledger ledger)
    {
        this.results = parts.results();
        this.engine = parts.engine();
        this.versions = requireNonNull(versions, "versions is null");
        this.keys = requireNonNull(keys, "keys is null");
        this.statistics = requireNonNull(statistics, "statistics is null");
        this.predicates = requireNonNull(predicates, "predicates is null");
        this.canonical = requireNonNull(canonical, "canonical is null");
        this.ledger = requireNonNull(ledger, "ledger is null");
    }

    /**
     * What a layout and a session say of all splits; layouts are told apart as objects, of which a task has one.
     *
     * @param queryId whose session it was made for
     * @param forms of the leaf, by the conjuncts that were left of it
     * @param compiled likewise what makes its runs
     */
    private record Scan(
            String queryId,
            Leaf leaf,
            SplitPredicate predicate,
            SplitKey.Builder key,
            ConcurrentMap<List<RowExpression>, CanonicalLeaf> forms,
            ConcurrentMap<List<RowExpression>, Supplier<Function<Optional<Page>, Iterator<Page>>>> compiled)
    {
        Function<Optional<Page>, Iterator<Page>> run(Leaf form, LeafEngine engine, ConnectorSession session)
        {
            return compiled.computeIfAbsent(form.conjuncts(), any -> engine.compile(form, session)).get();
        }
    }

    /**
     * A leaf over one split.
     *
     * @param none whether no row of the split satisfies the leaf's predicate
     * @param lookup what became of asking for the result, if it was asked for
     * @param account takes down what becomes of it from then on
     * @param runs makes a run of the leaf over the split
     */
    record SplitLeaf(Leaf leaf, boolean none, Optional<Lookup> lookup, Account account, Supplier<Function<Optional<Page>, Iterator<Page>>> runs)
    {}

    /**
     * The leaf of a layout over a split.
     *
     * @param kept whether this worker keeps what it reads of the split
     * @throws IllegalStateException if this node's engine does not run leaves
     */
    SplitLeaf of(ConnectorSession session, HiveSplit split, FragmentLayoutHandle layout, boolean kept, RuntimeStats stats)
    {
        LeafEngine compiler = engine.orElseThrow(() -> new IllegalStateException(
                "The coordinator runs leaves, and this node's engine is another one"));
        Scan scan = scan(session, layout);
        Leaf whole = scan.leaf();
        Optional<FileVersion> version = kept ? versions.of(session, split, layout) : Optional.empty();
        SplitPredicate.Verdict verdict = scan.predicate().judge(variable -> {
            HiveColumnHandle column = (HiveColumnHandle) requireNonNull(whole.columns().get(variable), "no column");
            return column.isPartitionKey()
                    ? partitionValue(split, column, variable)
                    : version.flatMap(file -> statistics.of(session, file, new FileStatistics.Asked(split, layout, column, variable
                            .getType()), stats));
        });
        Scope scope = ledger.scope(split.getDatabase(), split.getTable(), CachingPageSourceProvider.partition(split));
        Account account = version.map(file -> ledger.opened(session.getQueryId(), file, scope).account(CacheLayer.FRAGMENT))
                .orElseGet(() -> ledger.account(session.getQueryId(), scope, CacheLayer.FRAGMENT));
        if (verdict.none()) {
            FragmentRuntimeStats.pruned(stats);
            return new SplitLeaf(whole, true, Optional.empty(), account, () -> scan.run(whole, compiler, session));
        }
        Leaf leaf = whole.withConjuncts(verdict.remaining());
        Supplier<Function<Optional<Page>, Iterator<Page>>> runs = () -> scan.run(leaf, compiler, session);
        if (version.isEmpty() || results.isEmpty()) {
            FragmentRuntimeStats.miss(stats, kept ? Miss.VERSION : Miss.ELSEWHERE);
            account.misses(kept ? MissReason.NO_VERSION : MissReason.NOT_PREFERRED_NODE, 1, 0);
            return new SplitLeaf(leaf, false, Optional.empty(), account, runs);
        }
        if (ClockConstants.in(leaf, session.getStartTime())) {
            FragmentRuntimeStats.miss(stats, Miss.CLOCK);
            account.misses(MissReason.CLOCK, 1, 0);
            return new SplitLeaf(leaf, false, Optional.empty(), account, runs);
        }
        List<HiveColumnHandle> used = leaf.columns().values().stream().map(HiveColumnHandle.class::cast).toList();
        CanonicalLeaf form = scan.forms().computeIfAbsent(leaf.conjuncts(), any -> canonical.of(leaf));
        FragmentKey key = FragmentKey.of(form, SplitKeys.of(scan.key().copy(), split, layout, version.get(), used));
        CacheMode mode = CacheModes.of(session, CacheLayer.FRAGMENT);
        if (mode != CacheMode.READ_WRITE) {
            return new SplitLeaf(leaf, false, withoutKeeping(mode, results.get(), key, account, stats), account, runs);
        }
        Lookup lookup = results.get().lookup(key, scope);
        if (lookup instanceof Lookup.Miss) {
            FragmentRuntimeStats.miss(stats, Miss.ABSENT);
            account.misses(results.get().wasEvicted(key) ? MissReason.EVICTED : MissReason.NEVER_SEEN, 1, 0);
        }
        return new SplitLeaf(leaf, false, Optional.of(lookup), account, runs);
    }

    private static Optional<Lookup> withoutKeeping(CacheMode mode, FragmentResults results, FragmentKey key, Account account, RuntimeStats stats)
    {
        if (mode == CacheMode.DRY_RUN) {
            account.misses(results.isKept(key) ? MissReason.DRY_RUN : MissReason.NEVER_SEEN, 1, 0);
            FragmentRuntimeStats.miss(stats, Miss.MODE);
            return Optional.empty();
        }
        Optional<Lookup> hit = results.lookUpOnly(key);
        if (hit.isEmpty()) {
            account.misses(MissReason.READ_ONLY, 1, 0);
            FragmentRuntimeStats.miss(stats, Miss.MODE);
        }
        return hit;
    }

    private Scan scan(ConnectorSession session, FragmentLayoutHandle layout)
    {
        Scan known = scans.getIfPresent(layout);
        if (known != null && known.queryId().equals(session.getQueryId())) {
            return known;
        }
        Leaf leaf = layout.getFragment().orElseThrow().leaf();
        Scan made = new Scan(
                session.getQueryId(),
                leaf,
                predicates.of(leaf.conjuncts(), session),
                keys.shared(session, layout),
                new ConcurrentHashMap<>(),
                new ConcurrentHashMap<>());
        scans.put(layout, made);
        return made;
    }

    /* What the split's partition says of a column: text alone, other types are written in many ways. */
    private static Optional<Domain> partitionValue(HiveSplit split, HiveColumnHandle column, VariableReferenceExpression variable)
    {
        if (!isVarcharType(variable.getType())) {
            return Optional.empty();
        }
        return split.getPartitionKeys()
                .stream()
                .filter(key -> key.getName().equals(column.getName()))
                .findFirst()
                .map(HivePartitionKey::getValue)
                .map(value -> value.map(text -> Domain.singleValue(variable.getType(), (Object) Slices.utf8Slice(text)))
                        .orElseGet(() -> Domain.onlyNull(variable.getType())));
    }
}
