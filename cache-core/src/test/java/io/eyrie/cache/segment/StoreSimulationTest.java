// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.segment.StoreSimulation.Step;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.EnumMap;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Simulates caches, each with its own seed, for 200,000 steps, where one of 100 seeds is new; with {@code -Deyrie.stress=true}, for 10 million steps,
 * where half of the seeds are new. A failure names its seed and the fewest steps that lead to it: {@code -Deyrie.seed} runs that cache again, for
 * {@code -Deyrie.steps}.
 */
final class StoreSimulationTest
{
    private static final boolean STRESS = Boolean.getBoolean("eyrie.stress");
    private static final int CACHES = STRESS ? 5000 : 100;
    private static final int STEPS = 2000;

    private final Logger logger = Logger.getLogger("io.eyrie");
    private final Map<Step, Long> done = new EnumMap<>(Step.class);

    /** This test expects log messages about failing disks. */
    @BeforeEach
    void logNothing()
    {
        logger.setLevel(Level.OFF);
    }

    @AfterEach
    void logAgain()
    {
        logger.setLevel(null);
    }

    @Test
    void cacheKeepsItsPromises()
    {
        Long seed = Long.getLong("eyrie.seed");
        if (seed != null) {
            simulate(seed, Integer.getInteger("eyrie.steps", STEPS));
            return;
        }
        long fresh = System.nanoTime();
        System.out.println("Fresh seeds begin with " + fresh);
        for (int cache = 0; cache < CACHES; cache++) {
            boolean isFresh = STRESS ? cache % 2 == 1 : cache == CACHES - 1;
            simulate(isFresh ? fresh + cache : cache, STEPS);
        }
        assertThat(done).as("what was done").containsOnlyKeys(Step.values());
    }

    private void simulate(long seed, int steps)
    {
        Throwable failure = failure(seed, steps, done);
        if (failure != null) {
            int fewest = fewestSteps(seed, steps);
            Throwable first = failure(seed, fewest, new EnumMap<>(Step.class));
            throw new AssertionError("Replay with -Deyrie.seed=" + seed + " -Deyrie.steps=" + fewest, first == null ? failure : first);
        }
    }

    private static @Nullable Throwable failure(long seed, int steps, Map<Step, Long> done)
    {
        try {
            new StoreSimulation(seed, done).run(steps);
            return null;
        }
        catch (RuntimeException | AssertionError e) {
            return e;
        }
    }

    /**
     * Returns a number of steps that fails although one step less does not. A passing prefix may be part of a longer passing one, so there may be a
     * smaller number.
     */
    private static int fewestSteps(long seed, int steps)
    {
        int well = -1;
        int failing = steps;
        while (failing - well > 1) {
            int middle = (well + failing) >>> 1;
            if (failure(seed, middle, new EnumMap<>(Step.class)) == null) {
                well = middle;
            }
            else {
                failing = middle;
            }
        }
        return failing;
    }
}
