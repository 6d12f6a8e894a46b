// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.store;

import java.nio.file.Path;

import static java.util.Objects.requireNonNull;

/**
 * The state of one base directory of a store at one moment.
 *
 * @param currentBytes whole disk blocks of its pages, headers included
 * @param capacityBytes maximum of {@code currentBytes}
 * @param usableBytes space that its file system has left for this process; -1 if unknown
 * @param dayWrittenBytes bytes written to it in the last day, since the process started
 * @param outages how often it was taken out of service
 * @param timeouts how often a reader timed out waiting for it
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
}
