// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.thread.Schedules;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Options;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;

import java.util.HashMap;
import java.util.Map;

/** The operations of readers without the lock, and of writers under it, that run concurrently in {@link PageIndexLinearizabilityIT}. */
@Param(name = "page", gen = IntGen.class, conf = "0:3")
@Param(name = "value", gen = IntGen.class, conf = "1:9")
public final class PageIndexOperations
{
    private static final int NOTHING = -1;

    private final PageIndex index = new PageIndex();

    public static void main(String[] args)
    {
        int iterations = Integer.parseInt(args[0]);
        StressOptions stress = new StressOptions();
        check(stress.invocationsPerIteration(1000), iterations);
        ModelCheckingOptions schedules = new ModelCheckingOptions();
        check(schedules.invocationsPerIteration(Integer.parseInt(args[1])), iterations);
        Schedules.done();
    }

    private static void check(Options<?, ?> options, int iterations)
    {
        options.iterations(iterations);
        options.threads(3);
        options.actorsPerThread(4);
        options.sequentialSpecification(Sequentially.class);
        options.check(PageIndexOperations.class);
    }

    /** As a {@link PageTable} does under its lock: adds a page, then publishes it. */
    @Operation
    public synchronized boolean put(@Param(name = "page") int page, @Param(name = "value") int value)
    {
        long fingerprint = Mix.mix(page);
        if (index.find(fingerprint) != PageIndex.NONE) {
            return false;
        }
        index.publish(index.add(fingerprint, value, 1, value, value, 0), value);
        return true;
    }

    @Operation
    public synchronized boolean publish(@Param(name = "page") int page, @Param(name = "value") int granules)
    {
        int entry = index.find(Mix.mix(page));
        if (entry != PageIndex.NONE) {
            index.publish(entry, granules);
        }
        return entry != PageIndex.NONE;
    }

    @Operation
    public synchronized boolean remove(@Param(name = "page") int page)
    {
        int entry = index.find(Mix.mix(page));
        if (entry != PageIndex.NONE) {
            index.remove(entry);
        }
        return entry != PageIndex.NONE;
    }

    /** As a {@link UnitReader} does without the lock. */
    @Operation
    public int get(@Param(name = "page") int page)
    {
        long fingerprint = Mix.mix(page);
        while (true) {
            int version = index.version(fingerprint);
            int entry = index.find(fingerprint);
            if (entry == PageIndex.NONE) {
                return NOTHING;
            }
            long granules = index.granules(entry);
            int location = index.location(entry);
            int stamp = index.stamp(entry);
            int length = index.lengthBytes(entry);
            if (index.isUnchanged(fingerprint, version)) {
                return granules == 0 ? NOTHING : whole((int) granules, location, stamp, length);
            }
        }
    }

    private static int whole(int granules, int location, int stamp, int length)
    {
        // a number that no page has, if the fields do not belong to one page
        return stamp == length && location == stamp ? seen(granules, location) : Integer.MAX_VALUE;
    }

    private static int seen(int granules, int value)
    {
        return granules * 16 + value;
    }

    /** The sequential specification: a map from a page to its entry's contents. */
    public static final class Sequentially
    {
        private final Map<Integer, Integer> values = new HashMap<>();
        private final Map<Integer, Integer> granules = new HashMap<>();

        public boolean put(int page, int value)
        {
            if (values.putIfAbsent(page, value) != null) {
                return false;
            }
            granules.put(page, value);
            return true;
        }

        public boolean publish(int page, int more)
        {
            return granules.computeIfPresent(page, (ignored, before) -> before | more) != null;
        }

        public boolean remove(int page)
        {
            granules.remove(page);
            return values.remove(page) != null;
        }

        public int get(int page)
        {
            Integer value = values.get(page);
            return value == null ? NOTHING : seen(granules.getOrDefault(page, 0), value);
        }
    }
}
