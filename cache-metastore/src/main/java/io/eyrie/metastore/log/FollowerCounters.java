// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.log;

import java.util.concurrent.atomic.LongAdder;

/** The counters of a follower. Thread-safe. */
final class FollowerCounters
{
    final LongAdder readings = new LongAdder();
    final LongAdder sharedReadings = new LongAdder();
    final LongAdder events = new LongAdder();
    final LongAdder longEvents = new LongAdder();
    final LongAdder restarts = new LongAdder();
    final LongAdder failures = new LongAdder();
    final LongAdder graceReadings = new LongAdder();
    final LongAdder overdueReadings = new LongAdder();

    FollowerStats snapshot()
    {
        return new FollowerStats(readings.sum(), sharedReadings.sum(), events.sum(), longEvents.sum(), restarts.sum(), failures.sum(), graceReadings
                .sum(), overdueReadings.sum());
    }
}
