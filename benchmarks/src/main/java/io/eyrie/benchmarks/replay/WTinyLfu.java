// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.replay;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.eyrie.cache.simulation.PageAccesses;

/** Simulates a trace with Caffeine's W-TinyLFU, which adapts its window. Its maintenance runs on the calling thread. */
final class WTinyLfu
{
    private WTinyLfu()
    {}

    static double hitRatio(PageAccesses accesses, long capacityBytes)
    {
        Cache<Long, Integer> cache = Caffeine.newBuilder()
                .maximumWeight(capacityBytes)
                .weigher((Long page, Integer lengthBytes) -> lengthBytes)
                .executor(Runnable::run)
                .build();
        long hits = 0;
        for (int i = 0; i < accesses.count(); i++) {
            if (cache.getIfPresent(accesses.pages()[i]) == null) {
                cache.put(accesses.pages()[i], accesses.lengthBytes()[i]);
            }
            else {
                hits++;
            }
        }
        return (double) hits / accesses.count();
    }
}
