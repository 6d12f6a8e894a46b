// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import org.junit.jupiter.api.Test;

import java.util.stream.LongStream;

import static org.assertj.core.api.Assertions.assertThat;

class EvictedPagesTest
{
    @Test
    void evictionsAreRememberedAndPagesThatWereNotEvictedAreNot()
    {
        int pages = 60_000;
        EvictedPages evicted = new EvictedPages();
        LongStream.range(0, pages).forEach(evicted::add);
        assertThat(LongStream.range(0, pages).filter(evicted::contains).count()).isGreaterThan(pages * 3 / 5);
        assertThat(LongStream.range(pages, 2L * pages).filter(evicted::contains).count()).as("pages that were not evicted").isLessThan(10);
        assertThat(evicted.evictionsSince(pages - 1)).isZero();
        evicted.addForLimit(pages);
        assertThat(evicted.contains(pages)).isTrue();
        assertThat(evicted.evictionsSince(pages)).isEqualTo(Integer.MAX_VALUE);
        assertThat(evicted.evictionsSince(pages - 1)).isZero();
    }
}
