// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.simulation;

import java.util.SplittableRandom;

/**
 * Generates workloads from a random number generator with a fixed seed: the same accesses each time. Pages are 1 MiB, and one in eight is the
 * shorter end of a file.
 */
public enum SyntheticTrace
{
    /** Some pages of a large number are requested much more often than others, and always the same ones. */
    ZIPF(20_261_121) {
        @Override
        long next(int access, Draw draw)
        {
            return draw.zipf(ZIPF_PAGES);
        }
    },
    /** Dashboards over small tables, while reports repeatedly read a table much larger than the cache from its beginning to its end. */
    SCANS(20_261_122) {
        @Override
        long next(int access, Draw draw)
        {
            return draw.chance(0.3) ? draw.uniform(SCAN_HOT_PAGES) : SCAN_HOT_PAGES + draw.sequence(SCAN_TABLE_PAGES);
        }
    },
    /** The same pages in the same order, repeatedly. */
    LOOPS(20_261_123) {
        @Override
        long next(int access, Draw draw)
        {
            return draw.sequence(LOOP_PAGES);
        }
    },
    /** Phases: only popular pages, then together with a loop, then together with pages that are read once. */
    MIXES(20_261_124) {
        @Override
        long next(int access, Draw draw)
        {
            int phase = access / PHASE % 3;
            if (phase == 0 || draw.chance(0.5)) {
                return draw.zipf(MIX_PAGES);
            }
            return phase == 1 ? FAR + draw.sequence(MIX_PAGES / 2) : 2 * FAR + access;
        }
    },
    /** Popularity shifts: the newest pages are requested most often, and new ones appear all the time. */
    SHIFTING(20_261_125) {
        @Override
        long next(int access, Draw draw)
        {
            return FAR + access / ACCESSES_PER_NEW_PAGE - draw.zipf(SHIFTING_PAGES);
        }
    };

    private static final int ACCESSES = 400_000;
    private static final int ZIPF_PAGES = 50_000;
    private static final int SCAN_HOT_PAGES = 1_500;
    private static final int SCAN_TABLE_PAGES = 28_500;
    private static final int LOOP_PAGES = 20_000;
    private static final int MIX_PAGES = 20_000;
    private static final int PHASE = 40_000;
    private static final int SHIFTING_PAGES = 20_000;
    private static final int ACCESSES_PER_NEW_PAGE = 10;
    private static final long FAR = 1L << 40;
    private static final double ZIPF_EXPONENT = 0.9;
    private static final int PAGE_BYTES = 1 << 20;

    private final long seed;

    SyntheticTrace(long seed)
    {
        this.seed = seed;
    }

    /** The page of an access, by its position in the trace. */
    abstract long next(int access, Draw draw);

    /** Generates the accesses, always the same. */
    public PageAccesses generate()
    {
        Draw draw = new Draw(new SplittableRandom(seed));
        long[] pages = new long[ACCESSES];
        int[] lengths = new int[ACCESSES];
        for (int i = 0; i < ACCESSES; i++) {
            pages[i] = next(i, draw);
            lengths[i] = lengthBytes(pages[i]);
        }
        return new PageAccesses(pages, lengths);
    }

    private static int lengthBytes(long page)
    {
        long hash = page * 0x9E3779B97F4A7C15L;
        return hash >>> 61 == 0 ? 1 + (int) (hash >>> 20 & PAGE_BYTES - 1) : PAGE_BYTES;
    }

    /** Random numbers, and one counter. */
    static final class Draw
    {
        private final SplittableRandom random;
        private int counter;

        Draw(SplittableRandom random)
        {
            this.random = random;
        }

        boolean chance(double share)
        {
            return random.nextDouble() < share;
        }

        long uniform(int bound)
        {
            return random.nextInt(bound);
        }

        /** 0, 1, 2, …, and then from the beginning again. */
        long sequence(int bound)
        {
            return counter++ % bound;
        }

        /** From 0, the most frequent, to {@code bound - 1}. */
        long zipf(int bound)
        {
            // the inverse of the integral of x^-exponent over 1 to bound + 1
            double power = 1 - ZIPF_EXPONENT;
            double x = Math.pow(random.nextDouble() * (Math.pow(bound + 1.0, power) - 1) + 1, 1 / power);
            return Math.min(bound - 1L, (long) x - 1);
        }
    }
}
