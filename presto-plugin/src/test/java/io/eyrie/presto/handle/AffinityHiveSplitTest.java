// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.handle;

import com.facebook.airlift.json.JsonCodec;
import com.facebook.presto.hive.HiveSplit;
import com.facebook.presto.spi.HostAddress;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

import static com.facebook.presto.spi.schedule.NodeSelectionStrategy.HARD_AFFINITY;
import static org.assertj.core.api.Assertions.assertThat;

class AffinityHiveSplitTest
{
    private static final JsonCodec<AffinityHiveSplit> CODEC = JsonCodec.jsonCodec(AffinityHiveSplit.class);
    private static final HostAddress WORKER = HostAddress.fromString("10.0.0.7:8080");

    @Test
    void aFieldIsLostOnTheWayToTheWorker()
    {
        SplitPlace place = new SplitPlace(List.of(WORKER), List.of("worker-7"));
        for (Optional<SplitPlace> travels : List.of(Optional.of(place), Optional.<SplitPlace>empty())) {
            AffinityHiveSplit split = AffinityHiveSplit.of(HiveSplits.split("s3://lake/table/a", HARD_AFFINITY, OptionalInt.of(4)), travels, 7);

            AffinityHiveSplit arrived = CODEC.fromJson(CODEC.toJsonBytes(split));

            assertThat(arrived).usingRecursiveComparison().isEqualTo(split);
        }
    }

    @Test
    void fragmentResultsAreKeyedByPlace()
    {
        HiveSplit split = HiveSplits.soft("s3://lake/table/a");
        SplitPlace place = new SplitPlace(List.of(WORKER), List.of());

        assertThat(AffinityHiveSplit.of(split, Optional.of(place), 0).getSplitIdentifier()).isEqualTo(split.getSplitIdentifier());
    }

    @Test
    void splitWithoutPlaceAsksPresto()
    {
        HostAddress byHash = HostAddress.fromString("10.0.0.1:8080");
        HiveSplit soft = HiveSplits.soft("s3://lake/table/a");
        HiveSplit hard = HiveSplits.split("s3://lake/table/a", HARD_AFFINITY, OptionalInt.empty());

        assertThat(AffinityHiveSplit.of(soft, Optional.empty(), 0).getPreferredNodes(key -> List.of(byHash))).containsExactly(byHash);
        assertThat(AffinityHiveSplit.of(hard, Optional.empty(), 0).getPreferredNodes(key -> List.of(byHash))).isEqualTo(hard.getAddresses());
        assertThat(AffinityHiveSplit.of(soft, Optional.of(new SplitPlace(List.of(WORKER), List.of())), 0).getPreferredNodes(key -> List.of(byHash)))
                .containsExactly(WORKER);
    }
}
