package io.eyrie.cache.page;

import java.nio.file.Path;

import static java.util.Objects.requireNonNull;

/**
 * One base directory of a store, at one moment.
 *
 * @param currentBytes whole disk blocks of its pages, headers included
 * @param capacityBytes the most that {@code currentBytes} can be
 * @param usableBytes what its file system has left for this process; -1 if it cannot be told
 * @param dayWrittenBytes what was written to it in the last day, since this process began
 * @param outages how often it was taken out of service
 * @param timeouts how often a reader waited for it in vain
 */
public record DiskStatus(
        Path directory,
        Health health,
        long pages,
        long currentBytes,
        long capacityBytes,
        long usableBytes,
        long dayWrittenBytes,
        long outages,
        long timeouts)
{
    public enum Health
    {
        /** Its pages are being found. */
        OPENING,
        SERVING,
        /** It failed; it is tried again. */
        OUT_OF_SERVICE,
        CLOSED,
    }

    public DiskStatus
    {
        requireNonNull(directory, "directory is null");
        requireNonNull(health, "health is null");
    }
}
