// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import org.junit.jupiter.api.Test;

import java.util.stream.LongStream;

import static org.assertj.core.api.Assertions.assertThat;

class EvictedPagesTest
{
    private static final long MEGABYTE = 1 << 20;

    @Test
    void sizeFollowsTheCapacityWithinAPartOfTheIndexMemory()
    {
        assertThat(EvictedPages.size(1_000, 256 * MEGABYTE)).as("a small disk").isEqualTo(EvictedPages.LEAST_PLACES);
        assertThat(EvictedPages.size(1_000_000, 256 * MEGABYTE)).as("a terabyte").isEqualTo(1 << 21);
        assertThat(EvictedPages.size(1_000_000, 64 * MEGABYTE)).as("a terabyte with little memory").isEqualTo(1 << 20);
        assertThat(EvictedPages.size(1_000_000, MEGABYTE)).isEqualTo(EvictedPages.LEAST_PLACES);
        assertThat(EvictedPages.size(Long.MAX_VALUE, Long.MAX_VALUE)).isEqualTo(1 << 22);
        assertThat(EvictedPages.extraBytes(EvictedPages.LEAST_PLACES)).isZero();
        assertThat(EvictedPages.extraBytes(1 << 20)).as("an eighth of the index memory at most").isPositive().isLessThanOrEqualTo(8 * MEGABYTE);
    }

    @Test
    void asManyEvictionsAsFullPagesAreMostlyRemembered()
    {
        int pages = 300_000;
        EvictedPages evicted = new EvictedPages(EvictedPages.size(pages, 256 * MEGABYTE));
        LongStream.range(0, pages).forEach(evicted::add);
        assertThat(LongStream.range(0, pages).filter(evicted::contains).count()).isGreaterThan(180_000);
        assertThat(LongStream.range(pages, 2L * pages).filter(evicted::contains).count()).as("pages that were not evicted").isLessThan(10);
        assertThat(evicted.evictionsSince(pages - 1)).isZero();
    }
}
