// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.affinity;

import com.facebook.presto.spi.ConnectorSplit;
import com.facebook.presto.spi.HostAddress;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.eyrie.presto.handle.EyrieSplit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Packs the placed splits of one scan, batch by batch, such that every worker keeps enough separate splits to stay busy. Thread-safe. */
final class SplitPacker
{
    /*
     * How many   The size of a pack is limited to the number of the worker's splits so far divided by leastPerNode: the first splits are sent unpacked,
     *            those of a long scan in ever larger packs. If a batch has many splits, the number of packs is a multiple of leastPerNode, which is a
     *            multiple of the worker's threads, so that the threads finish at about the same time.
     * Which      Splits are dealt out in turn: neighbors in a listing are likely to be alike, either all cached or all uncached.
     * Formats    The engine reads row formats (text, CSV, JSON) through a cursor, which a pack does not offer. A leaf returns pages for any format.
     */
    static final int MOST = 32;
    private final int leastPerNode;
    private final long mostBytes;
    private final boolean computed;
    @GuardedBy("this")
    private final Map<HostAddress, Integer> seen = new HashMap<>();

    /**
     * @param leastPerNode how many splits a worker gets before any are packed
     * @param mostBytes the maximum number of bytes in a pack of more than one split
     * @param computed whether the page source returns pages for every format
     */
    SplitPacker(int leastPerNode, long mostBytes, boolean computed)
    {
        this.leastPerNode = leastPerNode;
        this.mostBytes = mostBytes;
        this.computed = computed;
    }

    synchronized List<ConnectorSplit> pack(List<ConnectorSplit> splits)
    {
        List<ConnectorSplit> packed = new ArrayList<>();
        Map<HostAddress, List<EyrieSplit>> splitsByNode = new LinkedHashMap<>();
        for (ConnectorSplit split : splits) {
            if (split instanceof EyrieSplit placed && isPackable(placed)) {
                splitsByNode.computeIfAbsent(placed.getPlace().orElseThrow().preferred().get(0), node -> new ArrayList<>()).add(placed);
            }
            else {
                packed.add(split);
            }
        }
        for (Map.Entry<HostAddress, List<EyrieSplit>> entry : splitsByNode.entrySet()) {
            List<EyrieSplit> theirs = entry.getValue();
            int most = Math.min(MOST, seen.merge(entry.getKey(), theirs.size(), Integer::sum) / leastPerNode);
            packed.addAll(most <= 1 ? theirs : dealt(theirs, most));
        }
        return packed;
    }

    private boolean isPackable(EyrieSplit split)
    {
        return split.getPlace().isPresent()
                && split.getFileSplit().getCustomSplitInfo().isEmpty()
                && (computed || SplitPacking.isColumnar(split));
    }

    private int packs(int splits, int most)
    {
        int needed = (splits + most - 1) / most;
        int even = needed / leastPerNode * leastPerNode;
        if (even == 0 || even == needed) {
            return needed;
        }
        return splits <= even * MOST ? even : even + leastPerNode;
    }

    private List<EyrieSplit> dealt(List<EyrieSplit> splits, int most)
    {
        int packs = packs(splits.size(), most);
        List<EyrieSplit> full = new ArrayList<>();
        List<List<EyrieSplit>> open = new ArrayList<>();
        long[] bytes = new long[packs];
        for (int i = 0; i < splits.size(); i++) {
            EyrieSplit split = splits.get(i);
            long length = split.getFileSplit().getLength();
            int pack = i % packs;
            if (pack == open.size()) {
                open.add(new ArrayList<>());
            }
            else if (bytes[pack] + length > mostBytes) {
                full.add(EyrieSplit.packed(open.set(pack, new ArrayList<>())));
                bytes[pack] = 0;
            }
            open.get(pack).add(split);
            bytes[pack] += length;
        }
        open.forEach(pack -> full.add(EyrieSplit.packed(pack)));
        return full;
    }
}
