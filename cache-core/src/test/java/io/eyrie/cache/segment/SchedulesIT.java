// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.flight.SingleFlightOperations;
import io.eyrie.cache.page.FetchOperations;
import io.eyrie.cache.thread.Schedules;
import org.junit.jupiter.api.Test;

/** Tests code without a common lock in schedules that Lincheck chooses: 200 to 2,000 per test, 10,000 with {@code -Deyrie.stress=true}. */
final class SchedulesIT
{
    private static final boolean STRESS = Boolean.getBoolean("eyrie.stress");
    private static final String SCENARIOS = STRESS ? "200" : "10";
    private static final String SCHEDULES_OF_EACH = STRESS ? "50" : "20";

    @Test
    void readerOfTheIndexSeesOnePage()
            throws Exception
    {
        Schedules.run(IndexSchedules.class, STRESS ? "10000" : "300");
    }

    @Test
    void storeReturnsAPagesOwnBytesWhileSlotsAreUsedAgain()
            throws Exception
    {
        Schedules.run(StoreOperations.class, SCENARIOS, SCHEDULES_OF_EACH);
    }

    @Test
    void oneReaderFetchesForAllAndNothingIsStale()
            throws Exception
    {
        Schedules.run(FetchOperations.class, SCENARIOS, SCHEDULES_OF_EACH);
    }

    @Test
    void oneCallerLoadsForAllAndNothingIsStale()
            throws Exception
    {
        Schedules.run(SingleFlightOperations.class, SCENARIOS, STRESS ? SCHEDULES_OF_EACH : "200");
    }
}
