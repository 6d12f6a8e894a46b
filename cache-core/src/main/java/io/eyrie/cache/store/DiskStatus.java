// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.store;

import io.eyrie.cache.metric.Metric;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import static java.util.Objects.requireNonNull;

/** The state of one base directory of a store at one moment. */
public record DiskStatus(
        Path directory,
        Health health,
        @Metric(value = "pages in the directory", name = "currentPages") long pages,
        @Metric("whole disk blocks used by its pages and their headers") long currentBytes,
        @Metric("maximum of currentBytes") long capacityBytes,
        @Metric(value = "usable space on its file system; -1 if unknown", name = "currentUsableBytes") long usableBytes,
        @Metric(value = "bytes that this process wrote to it in the last 24 hours", name = "currentDayWrittenBytes") long dayWrittenBytes,
        @Metric("times that it was taken out of service") long outages,
        @Metric("reads that timed out waiting for it") long timeouts)
{
    private static final Duration LATE = Duration.ofMinutes(10);

    public enum Health
    {
        /** The store is recovering its pages. */
        OPENING,
        SERVING,
        /** It failed; the store keeps trying it. */
        OUT_OF_SERVICE,
        CLOSED,
    }

    public DiskStatus
    {
        requireNonNull(directory, "directory is null");
        requireNonNull(health, "health is null");
    }

    /**
     * Whether what an earlier process stored can be read by now. A disk that does not answer at the start may do so later; what it contains counts as lost only after
     * ten minutes.
     */
    public static boolean areRecovered(List<DiskStatus> disks, Duration sinceOpened)
    {
        return disks.stream().allMatch(disk -> switch (disk.health) {
            case OPENING -> false;
            case OUT_OF_SERVICE -> sinceOpened.compareTo(LATE) > 0;
            case SERVING, CLOSED -> true;
        });
    }

    /** Returns 1 if the directory is in service. */
    @Metric("1 if the directory is in service, 0 if it is opening, out of service or closed")
    public int currentInService()
    {
        return health == Health.SERVING ? 1 : 0;
    }
}
