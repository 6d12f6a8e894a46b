// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.affinity;

import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.common.predicate.TupleDomain;
import com.facebook.presto.hive.HiveSplit;
import com.facebook.presto.spi.HostAddress;
import com.facebook.presto.spi.SplitContext;
import com.facebook.presto.spi.schedule.NodeSelectionStrategy;
import io.eyrie.presto.handle.EyrieSplit;
import io.eyrie.presto.handle.HiveSplits;
import io.eyrie.presto.handle.SplitPlace;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

import static org.assertj.core.api.Assertions.assertThat;

class SplitArrivalsTest
{
    private static final long EPOCH = 5;

    private long known = EPOCH;
    private final SplitArrivals arrivals = new SplitArrivals(new TestingNodes("me", List.of("me", "other")), () -> known, true);
    private final RuntimeStats stats = new RuntimeStats();

    @ParameterizedTest
    @CsvSource({"true, me, true", "false, me, true", "true, other, false", "false, other, false"})
    void placedSplitIsKeptByOthersThanItNames(boolean engineSays, String keeper, boolean kept)
    {
        SplitContext context = arrivals.decide(placed(List.of(keeper)), new SplitContext(engineSays), stats);

        assertThat(context.isCacheable()).isEqualTo(kept);
        assertThat(arrivals.keptSplits()).isEqualTo(kept ? 1 : 0);
        assertThat(arrivals.elsewhereSplits()).isEqualTo(kept ? 0 : 1);
        assertThat(arrivals.nonPreferredShare()).isEqualTo(kept ? 0 : 1);
        assertThat(stats.getMetrics().keySet()).containsExactly(kept ? "eyriePlacementKeptSplits" : "eyriePlacementElsewhereSplits");
    }

    @Test
    void standInKeepsWhatItReads()
    {
        assertThat(arrivals.decide(placed(List.of()), new SplitContext(true), stats).isCacheable()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"SOFT_AFFINITY, true, true", "SOFT_AFFINITY, false, false", "HARD_AFFINITY, true, true", "HARD_AFFINITY, false, false",
            "NO_PREFERENCE, true, true", "NO_PREFERENCE, false, true"})
    void splitWithoutPlaceIsKeptAgainstTheEnginesWord(NodeSelectionStrategy strategy, boolean engineSays, boolean kept)
    {
        HiveSplit split = EyrieSplit.of(HiveSplits.split("s3://lake/a", strategy, OptionalInt.of(3)), Optional.empty(), 0);

        assertThat(arrivals.decide(split, new SplitContext(engineSays), stats).isCacheable()).isEqualTo(kept);
        assertThat(arrivals.unplacedSplits()).isEqualTo(1);
        assertThat(arrivals.nonPreferredShare()).isZero();
    }

    @Test
    void dynamicFilterIsLost()
    {
        SplitContext context = new SplitContext(true, TupleDomain.none());

        assertThat(arrivals.decide(placed(List.of()), context, stats).getDynamicFilterPredicate()).contains(TupleDomain.none());
    }

    @Test
    void nodeWithoutACacheKeepsNothing()
    {
        SplitArrivals uncached = new SplitArrivals(new TestingNodes("me", List.of("me", "other")), () -> known, false);
        assertThat(uncached.decide(placed(List.of("me")), new SplitContext(true), stats).isCacheable()).isFalse();
    }

    @Test
    void nothingIsKeptOfASplitThatKnowsMoreOfOperatorsThanThisNode()
    {
        assertThat(arrivals.keeps(placed(List.of("me")), new SplitContext(true))).isTrue();
        known = EPOCH - 1;
        assertThat(arrivals.keeps(placed(List.of("me")), new SplitContext(true))).isFalse();
    }

    private static HiveSplit placed(List<String> keepOn)
    {
        return EyrieSplit.of(
                HiveSplits.soft("s3://lake/a"),
                Optional.of(new SplitPlace(List.of(HostAddress.fromString("10.0.0.7:8080")), keepOn)), EPOCH);
    }
}
