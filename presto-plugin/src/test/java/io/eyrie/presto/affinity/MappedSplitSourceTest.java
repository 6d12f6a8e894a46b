// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.affinity;

import com.facebook.presto.spi.ConnectorSplit;
import com.facebook.presto.spi.ConnectorSplitSource.ConnectorSplitBatch;
import io.eyrie.presto.handle.HiveSplits;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import static com.facebook.presto.spi.connector.NotPartitionedPartitionHandle.NOT_PARTITIONED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class MappedSplitSourceTest
{
    private static final ConnectorSplit DROPPED = HiveSplits.soft("s3://lake/dropped");
    private static final ConnectorSplit KEPT = HiveSplits.soft("s3://lake/kept");

    private final TestingSplitSource splits = new TestingSplitSource();
    private final MappedSplitSource mapped = new MappedSplitSource(splits, batch -> batch.stream().filter(split -> split == KEPT).toList());

    @Test
    void batchesOfWhichNothingIsLeftAreSkipped()
            throws Exception
    {
        for (int i = 0; i < 100_000; i++) {
            splits.offer(List.of(DROPPED), false);
        }
        splits.offer(List.of(DROPPED, KEPT), false);
        ConnectorSplitBatch first = mapped.getNextBatch(NOT_PARTITIONED, 10).get();
        assertThat(first.getSplits()).containsExactly(KEPT);
        assertThat(first.isNoMoreSplits()).isFalse();

        CompletableFuture<ConnectorSplitBatch> last = mapped.getNextBatch(NOT_PARTITIONED, 10);
        splits.offer(List.of(DROPPED), false);
        assertThat(last).as("asks for the next batch").isNotDone();
        splits.offer(List.of(DROPPED), true);
        assertThat(last.get().getSplits()).isEmpty();
        assertThat(last.get().isNoMoreSplits()).isTrue();
    }

    @Test
    void failuresArePassedOn()
    {
        CompletableFuture<ConnectorSplitBatch> answer = mapped.getNextBatch(NOT_PARTITIONED, 10);
        splits.offer(List.of(DROPPED), false);
        splits.fail(new IllegalStateException("broken"));
        assertThatThrownBy(answer::get).hasCauseInstanceOf(IllegalStateException.class).hasMessageContaining("broken");
        CompletableFuture<ConnectorSplitBatch> closed = mapped.getNextBatch(NOT_PARTITIONED, 10);
        splits.close();
        splits.offer(List.of(DROPPED), false);
        assertThatThrownBy(closed::get).hasMessageContaining("closed");
    }
}
