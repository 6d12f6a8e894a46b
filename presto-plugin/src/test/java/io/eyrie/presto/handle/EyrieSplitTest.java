// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.handle;

import com.facebook.airlift.json.JsonCodec;
import com.facebook.airlift.json.JsonCodecFactory;
import com.facebook.presto.hive.HiveSplit;
import com.facebook.presto.spi.HostAddress;
import org.junit.jupiter.api.Test;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

import static com.facebook.presto.spi.schedule.NodeSelectionStrategy.HARD_AFFINITY;
import static org.assertj.core.api.Assertions.assertThat;

class EyrieSplitTest
{
    private static final JsonCodec<EyrieSplit> CODEC = JsonCodec.jsonCodec(EyrieSplit.class);
    private static final HostAddress WORKER = HostAddress.fromString("10.0.0.7:8080");

    @Test
    void aFieldIsLostOnTheWayToTheWorker()
    {
        SplitPlace place = new SplitPlace(List.of(WORKER), List.of("worker-7"));
        for (Optional<SplitPlace> travels : List.of(Optional.of(place), Optional.<SplitPlace>empty())) {
            EyrieSplit split = EyrieSplit.of(HiveSplits.split("s3://lake/table/a", HARD_AFFINITY, OptionalInt.of(4)), travels, 7);

            EyrieSplit arrived = CODEC.fromJson(CODEC.toJsonBytes(split));

            assertThat(arrived).usingRecursiveComparison().isEqualTo(split);
        }
    }

    /* Ten thousand of them travel for one query. The engine writes them without indentation. */
    @Test
    void splitIsHardlyLargerThanThatOfPresto()
    {
        String path = "s3a://lake/warehouse/sales.db/orders/ds=2026-01-01/20260101_081500_00042_abcde_1c2f6f6e-7f1c-4f0f-9d8e-0a5f1c2b3d4e";
        HiveSplit hive = HiveSplits.soft(path);
        long epoch = 1_767_225_600_000L;
        String node = "1c2f6f6e-7f1c-4f0f-9d8e-0a5f1c2b3d4e";
        SplitPlace own = new SplitPlace(List.of(WORKER), List.of(node));
        SplitPlace overflow = new SplitPlace(List.of(WORKER, WORKER), List.of(node, node));
        int bytes = bytes(HiveSplit.class, hive);
        for (SplitPlace place : List.of(own, overflow)) {
            EyrieSplit split = EyrieSplit.of(hive, Optional.of(place), epoch);
            assertThat(bytes(EyrieSplit.class, split)).as("%s", place).isLessThan(bytes * 6 / 5);
            assertThat(bytes(EyrieSplit.class, EyrieSplit.packed(Collections.nCopies(32, split)))).as("32 of %s", place)
                    .isLessThan(32 * bytes * 6 / 5);
        }
        assertThat(bytes(EyrieSplit.class, EyrieSplit.of(hive, Optional.empty(), 0))).as("without a place").isLessThan(bytes * 6 / 5);
    }

    private static <T> int bytes(Class<T> type, T split)
    {
        return new JsonCodecFactory().jsonCodec(type).toJsonBytes(split).length;
    }

    @Test
    void fragmentResultsAreKeyedByPlace()
    {
        HiveSplit split = HiveSplits.soft("s3://lake/table/a");
        SplitPlace place = new SplitPlace(List.of(WORKER), List.of());

        assertThat(EyrieSplit.of(split, Optional.of(place), 0).getSplitIdentifier()).isEqualTo(split.getSplitIdentifier());
    }

    @Test
    void splitWithoutPlaceAsksPresto()
    {
        HostAddress byHash = HostAddress.fromString("10.0.0.1:8080");
        HiveSplit soft = HiveSplits.soft("s3://lake/table/a");
        HiveSplit hard = HiveSplits.split("s3://lake/table/a", HARD_AFFINITY, OptionalInt.empty());

        assertThat(EyrieSplit.of(soft, Optional.empty(), 0).getPreferredNodes(key -> List.of(byHash))).containsExactly(byHash);
        assertThat(EyrieSplit.of(hard, Optional.empty(), 0).getPreferredNodes(key -> List.of(byHash))).isEqualTo(hard.getAddresses());
        assertThat(EyrieSplit.of(soft, Optional.of(new SplitPlace(List.of(WORKER), List.of())), 0).getPreferredNodes(key -> List.of(byHash)))
                .containsExactly(WORKER);
    }
}
