// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.throughput;

import io.eyrie.testing.presto.NodeMBeans;

import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.DoubleAccumulator;

/** The largest sum of the heaps of a cluster's processes, sampled once a second until it is closed. Thread-safe. */
final class PeakHeap
        implements AutoCloseable
{
    private final DoubleAccumulator peakBytes = new DoubleAccumulator(Math::max, 0);
    private final ScheduledExecutorService sampler = Executors.newSingleThreadScheduledExecutor();
    private final Future<?> sampling;

    PeakHeap(List<NodeMBeans> nodes)
    {
        List<NodeMBeans> all = List.copyOf(nodes);
        sampling = sampler.scheduleAtFixedRate(() -> peakBytes.accumulate(all.stream().mapToDouble(NodeMBeans::heapUsedBytes).sum()), 0, 1,
                TimeUnit.SECONDS);
    }

    double bytes()
    {
        if (sampling.isDone()) {
            throw new IllegalStateException("A node did not report its heap");
        }
        return peakBytes.get();
    }

    @Override
    public void close()
    {
        sampler.shutdownNow();
    }
}
