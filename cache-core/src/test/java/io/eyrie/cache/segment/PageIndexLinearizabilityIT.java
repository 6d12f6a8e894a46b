// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.thread.Schedules;
import org.junit.jupiter.api.Test;

/**
 * Tests that all results of concurrent readers and writers of an index could also occur sequentially. Lincheck checks this with threads under stress,
 * and in schedules that it chooses.
 */
final class PageIndexLinearizabilityIT
{
    private static final boolean STRESS = Boolean.getBoolean("eyrie.stress");

    @Test
    void readersSeeWhatOneAfterTheOtherWouldHaveSeen()
            throws Exception
    {
        Schedules.run(PageIndexOperations.class, STRESS ? "200" : "20", "50");
    }
}
