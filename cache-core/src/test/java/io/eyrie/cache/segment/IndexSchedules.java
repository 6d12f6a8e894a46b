// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.thread.Schedules;
import org.jetbrains.lincheck.Lincheck;

/**
 * Reads without the lock while a page is removed from the index, another page takes its entry, and the first returns in another entry. The fields
 * that the reader sees under one version must belong to one page. {@link SchedulesIT} runs it.
 */
public final class IndexSchedules
{
    private static final long PAGE = Mix.mix(1);
    private static final long OTHER = Mix.mix(2);

    private final PageIndex index = new PageIndex();
    private volatile boolean mixed;

    public static void main(String[] args)
    {
        Lincheck.runConcurrentTest(Integer.parseInt(args[0]), IndexSchedules::schedule);
        Schedules.done();
    }

    private static void schedule()
    {
        IndexSchedules of = new IndexSchedules();
        of.put(PAGE, 3);
        Schedules.together(of::reuse, of::read);
        if (of.mixed) {
            throw new IllegalStateException("A reader saw fields of several pages");
        }
    }

    private synchronized void put(long fingerprint, int value)
    {
        index.publish(index.add(fingerprint, value, 1, value, value, 0), value);
    }

    private synchronized void reuse()
    {
        index.remove(index.find(PAGE));
        put(OTHER, 5);
        put(PAGE, 7);
    }

    private void read()
    {
        int version = index.version(PAGE);
        int entry = index.find(PAGE);
        if (entry == PageIndex.NONE) {
            return;
        }
        int location = index.location(entry);
        int stamp = index.stamp(entry);
        int length = index.lengthBytes(entry);
        long granules = index.granules(entry);
        if (index.isUnchanged(PAGE, version) && granules != 0) {
            boolean own = location == 3 || location == 7;
            mixed = !own || stamp != location || length != location || granules != location;
        }
    }
}
