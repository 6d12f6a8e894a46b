package io.eyrie.cache.segment;

import io.eyrie.cache.thread.Schedules;
import org.junit.jupiter.api.Test;

/** Whatever readers and writers of an index see, they could have seen one after the other. Lincheck tries it with threads under stress, and in schedules that it chooses. */
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
