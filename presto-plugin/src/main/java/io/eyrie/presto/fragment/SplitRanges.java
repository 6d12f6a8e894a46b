// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.common.predicate.Domain;
import com.facebook.presto.common.type.Type;
import com.facebook.presto.hive.HiveColumnHandle;
import com.facebook.presto.hive.HiveSplit;
import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.ConnectorSession;
import com.google.inject.Inject;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.Scope;
import io.eyrie.fragment.key.ClockConstants;
import io.eyrie.fragment.key.FragmentKey;
import io.eyrie.fragment.key.SplitKey;
import io.eyrie.fragment.leaf.Leaf;
import io.eyrie.fragment.statistics.ScannedRanges;
import io.eyrie.fragment.statistics.SplitPredicate;
import io.eyrie.fragment.statistics.ValueRange;
import io.eyrie.presto.affinity.SplitPacking;
import io.eyrie.presto.catalog.CacheModes;
import io.eyrie.presto.handle.EyrieLayoutHandle;
import io.eyrie.presto.ledger.CacheLayer;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import static com.facebook.presto.expressions.LogicalRowExpressions.TRUE_CONSTANT;
import static java.util.Objects.requireNonNull;

/**
 * Finds the ranges of columns in one split by reading them once, if the leaf follows the clock only through these columns and the footer does not
 * contain the ranges. Thread-safe.
 *
 * <p>The read covers at least the rows that the leaf's own scan of the split would get: the same range of the file, by the same reader, without a
 * predicate.
 */
final class SplitRanges
{
    private final Optional<ScannedRanges> kept;
    private final FileStatistics footers;

    @Inject
    SplitRanges(FragmentParts parts, FileStatistics footers)
    {
        this.kept = parts.ranges();
        this.footers = requireNonNull(footers, "footers is null");
    }

    /** A column of a split with an unknown range, and the key under which its range is to be cached. */
    record UnknownRange(HiveColumnHandle column, Type type, BlobKey key)
    {}

    /** Returns the columns of a leaf that may be worth reading: timestamps and dates that a conjunct which follows the clock constrains. */
    Set<ColumnHandle> columns(Leaf leaf, SplitPredicate predicate, EyrieLayoutHandle layout, ConnectorSession session)
    {
        if (kept.isEmpty() || !CacheModes.of(session, CacheLayer.FRAGMENT).serves() || !isPlain(layout)) {
            return Set.of();
        }
        return leaf.conjuncts()
                .stream()
                .filter(conjunct -> ClockConstants.in(conjunct, session.getStartTime()))
                .flatMap(conjunct -> predicate.column(conjunct).stream())
                .filter(variable -> ValueRange.isOf(variable.getType()))
                .map(variable -> requireNonNull(leaf.columns().get(variable), "no column"))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Whether a scan returns all rows that the layout reads of a split, without a filter, an aggregation or row numbers. */
    static boolean isPlain(EyrieLayoutHandle layout)
    {
        return !layout.isPushdownFilterEnabled() && !layout.isPartialAggregationsPushedDown() && !layout.isAppendRowNumberEnabled()
                && layout.getBucketFilter().isEmpty() && layout.getRemainingPredicate().equals(TRUE_CONSTANT);
    }

    /**
     * Returns all values that a column may contain in a split of a file, if the footer contains them or the column was read.
     *
     * @param key the split's key for this column, if the column may be worth reading
     * @param missing receives the column if it is worth reading and was not read yet
     */
    Optional<Domain> of(
            ConnectorSession session,
            FileVersion file,
            FileStatistics.StatisticsRequest asked,
            Optional<Supplier<SplitKey>> key,
            Consumer<UnknownRange> missing,
            RuntimeStats stats)
    {
        Optional<Domain> footer = footers.of(session, file, asked, stats);
        if (key.isEmpty() || footer.filter(domain -> !domain.getValues().isAll()).isPresent() || !isReadAlone(asked.split(), asked.column())) {
            return footer;
        }
        UnknownRange column = new UnknownRange(asked.column(), asked.type(), key(key.get().get(), asked.column(), asked.type()));
        Optional<Domain> known = kept.flatMap(ranges -> ranges.get(column.key())).map(range -> range.domain(asked.type()));
        if (known.isEmpty()) {
            missing.accept(column);
        }
        return known.or(() -> footer);
    }

    /** Whether a scan can read this column without others, as the table defines it. Row formats are read in whole rows. */
    static boolean isReadAlone(HiveSplit split, HiveColumnHandle column)
    {
        return SplitPacking.isColumnar(split) && FileStatistics.isAsInTable(split, column)
                && split.getBucketConversion().isEmpty();
    }

    /** Returns the key of the range of a column in a split. */
    static BlobKey key(SplitKey split, HiveColumnHandle column, Type type)
    {
        return FragmentKey.range(split, writer -> SplitKeys.column(column, writer.text(type.getTypeSignature().toString())));
    }

    /** Returns a consumer that caches the ranges of columns that are read from now on, in their order. */
    Consumer<List<ValueRange>> keeper(List<UnknownRange> columns, Scope scope, RuntimeStats stats)
    {
        ScannedRanges ranges = kept.orElseThrow();
        // taken before the columns are read, so that ranges invalidated from now on are not cached
        long epoch = ranges.epoch();
        return found -> {
            for (int i = 0; i < columns.size(); i++) {
                ranges.keep(columns.get(i).key(), found.get(i), epoch, scope);
                FragmentRuntimeStats.rangeScanned(stats);
            }
        };
    }
}
