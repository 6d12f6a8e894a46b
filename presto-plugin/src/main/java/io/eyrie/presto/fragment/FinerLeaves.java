// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import com.google.common.base.Suppliers;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.page.CacheMode;
import io.eyrie.fragment.key.CanonicalLeaf;
import io.eyrie.fragment.key.CoarserLeaf;
import io.eyrie.fragment.key.FragmentKey;
import io.eyrie.fragment.key.GroupedLeaf;
import io.eyrie.fragment.key.Grouping;
import io.eyrie.fragment.key.SplitKey;
import io.eyrie.fragment.leaf.Leaf;
import io.eyrie.fragment.leaf.LeafRun;
import io.eyrie.fragment.result.FinerKey;
import io.eyrie.fragment.result.Groupings;
import io.eyrie.presto.catalog.CacheModes;
import io.eyrie.presto.handle.LeafColumns;
import io.eyrie.presto.ledger.CacheLayer;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

import static java.util.Objects.requireNonNull;

/**
 * The form of a leaf that its splits share, and the leaves whose results answer it: those of finer groups (decision 0044), or, if only the top of the
 * leaf's rows is needed, that of all its rows. Thread-safe.
 */
final class FinerLeaves
{
    // each costs a few microseconds for a split that it has no result of
    private static final int MOST = 2;

    private final CanonicalLeaf form;
    private final Set<String> partitionColumns;
    private final Supplier<List<FinerLeaf>> finer;

    /** A leaf of finer groups, or of all rows, and what computes the leaf from its results. */
    private record FinerLeaf(CanonicalLeaf form, Set<String> partitionColumns, long mostRows, Supplier<Supplier<LeafRun>> merge)
    {}

    private FinerLeaves(CanonicalLeaf form, Set<String> partitionColumns, Supplier<List<FinerLeaf>> finer)
    {
        this.form = requireNonNull(form, "form is null");
        this.partitionColumns = Set.copyOf(partitionColumns);
        this.finer = requireNonNull(finer, "finer is null");
    }

    /**
     * Returns the form of a leaf.
     *
     * @param leaf the leaf directly over the table
     * @param last the leaf itself: the same, or the leaf over the rows of joins
     * @param groupings the groupings that may have results, to which the leaf's is added if the session stores results; empty if it does not merge results
     */
    static FinerLeaves of(CanonicalLeaf form, Leaf leaf, Leaf last, Optional<Groupings> groupings, Scope table, LeafEngine engine,
            ConnectorSession session)
    {
        Set<String> partitionColumns = SplitKeys.partitionColumns(LeafColumns.read(leaf));
        if (form.all().isPresent()) {
            return new FinerLeaves(form, partitionColumns, Suppliers.memoize(() -> List.of(new FinerLeaf(
                    form.all().get(), partitionColumns, Long.MAX_VALUE, Suppliers.memoize(() -> engine.compile(topOf(last), session))))));
        }
        if (groupings.isEmpty() || form.grouped().isEmpty()) {
            return new FinerLeaves(form, partitionColumns, List::of);
        }
        GroupedLeaf grouped = form.grouped().get();
        Grouping own = grouped.grouping(partitionColumns);
        List<Grouping> known = groupings.get().of(table);
        if (CacheModes.of(session, CacheLayer.FRAGMENT) == CacheMode.READ_WRITE) {
            groupings.get().add(table, own);
        }
        return new FinerLeaves(form, partitionColumns, Suppliers.memoize(() -> known.stream()
                // fewer keys have fewer groups
                .sorted(Comparator.comparingInt(other -> other.keys().size()))
                .flatMap(other -> grouped.from(other, own).map(coarser -> finer(other, coarser, engine, session)).stream())
                .limit(MOST)
                .toList()));
    }

    /* Over the rows of the leaf. */
    private static Leaf topOf(Leaf leaf)
    {
        Map<VariableReferenceExpression, ColumnHandle> rows = new LinkedHashMap<>();
        leaf.outputs().forEach(output -> rows.put(output, new ColumnHandle() {}));
        return new Leaf(rows, List.of(), List.of(), rows.keySet().stream().map(output -> new Leaf.Projection(output, output)).toList(), Optional
                .empty(), leaf.top());
    }

    private static FinerLeaf finer(Grouping grouping, CoarserLeaf coarser, LeafEngine engine, ConnectorSession session)
    {
        return new FinerLeaf(grouping.form(coarser.columns()), grouping.partitionColumns(), coarser.mostRows(), Suppliers.memoize(
                () -> engine.merge(coarser.leaf(), session)));
    }

    /** Returns the key of the leaf over a split. */
    FragmentKey key(SplitKey split)
    {
        return FragmentKey.of(form, split);
    }

    /** Returns a run that selects the top of all rows of the leaf, of which only the top is needed. */
    LeafRun top()
    {
        return finer.get().get(0).merge().get().get();
    }

    /** Returns the key of all rows of a leaf of which only the top is needed, over a split. */
    Optional<FragmentKey> all(SplitKey split)
    {
        return form.all().map(rows -> FragmentKey.of(rows, split));
    }

    Set<String> partitionColumns()
    {
        return partitionColumns;
    }

    /**
     * Returns the keys of results of finer groups over a split.
     *
     * @param split the key of the split for leaves that read these partition columns
     */
    List<FinerKey> finer(Function<Set<String>, SplitKey> split)
    {
        return finer.get().stream().map(leaf -> new FinerKey(
                FragmentKey.of(leaf.form(), split.apply(leaf.partitionColumns())),
                leaf.mostRows(),
                () -> leaf.merge().get().get())).toList();
    }
}
