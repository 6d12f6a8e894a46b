// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.affinity;

import com.facebook.presto.split.SampledSplitSource;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static com.facebook.presto.spi.connector.NotPartitionedPartitionHandle.NOT_PARTITIONED;
import static org.assertj.core.api.Assertions.assertThat;

class UnsampledSplitSourceTest
{
    private final TestingSplitSource splits = new TestingSplitSource();
    private final List<String> mapped = new ArrayList<>();
    private final UnsampledSplitSource source = new UnsampledSplitSource(splits, all -> new MappedSplitSource(all, batch -> {
        mapped.add("batch");
        return batch;
    }));

    @Test
    void scanPassesThroughTheOtherSource()
    {
        splits.offer(List.of(), true);
        source.getNextBatch(NOT_PARTITIONED, 1000).join();
        assertThat(mapped).containsExactly("batch");
    }

    @Test
    void sampledScanKeepsItsSplits()
    {
        splits.offer(List.of(), false);
        splits.offer(List.of(), true);
        SampledSplitSource.getNextBatch(source);
        source.getNextBatch(NOT_PARTITIONED, 1000).join();
        assertThat(mapped).isEmpty();
    }
}
