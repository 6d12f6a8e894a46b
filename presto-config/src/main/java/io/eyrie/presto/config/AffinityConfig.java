// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.config;

import com.facebook.airlift.configuration.Config;
import com.facebook.airlift.configuration.ConfigDescription;
import io.airlift.units.Duration;
import io.eyrie.affinity.placement.LoadBound;
import io.eyrie.cache.config.ConfigException;

import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

/** The properties {@code hive.affinity-scheduling-…} that Eyrie adds to those of Presto. */
@SuppressWarnings("UnnecessaryQualifier") // airlift's annotations look like Guice's
public class AffinityConfig
{
    private static final Duration MAX_GRACE = new Duration(24, HOURS);
    private static final Duration MAX_GATHER_TIME = new Duration(60, SECONDS);
    private static final int MAX_SMALL_FILES_PER_NODE = 1_000;
    /** Twice as many splits as a Presto worker runs at a time, if it has as many processors as this node. */
    private static final int UNPACKED_SPLITS_PER_PROCESSOR = 4;
    private static final int MAX_UNPACKED_SPLITS_PER_NODE = 10_000;

    private Duration gracePeriod = new Duration(60, SECONDS);
    private Duration gatherTime = new Duration(500, MILLISECONDS);
    private int smallFilesPerNode = LoadBound.DEFAULT.smallKeysPerNode();
    private int unpackedSplitsPerNode = UNPACKED_SPLITS_PER_PROCESSOR * Runtime.getRuntime().availableProcessors();

    public Duration getGracePeriod()
    {
        return gracePeriod;
    }

    @Config("hive.affinity-scheduling-grace-period")
    @ConfigDescription("How long a worker may be absent before its files are assigned to other workers")
    public AffinityConfig setGracePeriod(Duration gracePeriod)
    {
        this.gracePeriod = gracePeriod;
        return this;
    }

    public Duration getGatherTime()
    {
        return gatherTime;
    }

    @Config("hive.affinity-scheduling-gather-time")
    @ConfigDescription("Maximum time that the first split of a scan waits for further splits, to be placed together with them")
    public AffinityConfig setGatherTime(Duration gatherTime)
    {
        this.gatherTime = gatherTime;
        return this;
    }

    public int getSmallFilesPerNode()
    {
        return smallFilesPerNode;
    }

    @Config("hive.affinity-scheduling-small-files-per-node")
    @ConfigDescription("The files of a scan with at most this many files per worker are distributed evenly by count; 0 disables this")
    public AffinityConfig setSmallFilesPerNode(int smallFilesPerNode)
    {
        this.smallFilesPerNode = smallFilesPerNode;
        return this;
    }

    public int getUnpackedSplitsPerNode()
    {
        return unpackedSplitsPerNode;
    }

    @Config("hive.affinity-scheduling-unpacked-splits-per-node")
    @ConfigDescription("In a scan with more splits per worker than this, small files of one worker are packed into one split, down to this number; "
            + "0 disables packing")
    public AffinityConfig setUnpackedSplitsPerNode(int unpackedSplitsPerNode)
    {
        this.unpackedSplitsPerNode = unpackedSplitsPerNode;
        return this;
    }

    /**
     * Checks all properties.
     *
     * @throws io.eyrie.cache.config.ConfigException about the first property that is out of its range
     */
    public void validate()
    {
        grace();
        gather();
        loadBound();
        packing();
    }

    /** Returns the grace period, checked. */
    public java.time.Duration grace()
    {
        return checked("hive.affinity-scheduling-grace-period", gracePeriod, MAX_GRACE, "60s");
    }

    /** Returns the gather time, checked. */
    public java.time.Duration gather()
    {
        return checked("hive.affinity-scheduling-gather-time", gatherTime, MAX_GATHER_TIME, "500ms");
    }

    /** Returns how evenly a scan's splits are spread, checked. */
    public LoadBound loadBound()
    {
        if (smallFilesPerNode < 0 || smallFilesPerNode > MAX_SMALL_FILES_PER_NODE) {
            throw new ConfigException(
                    "hive.affinity-scheduling-small-files-per-node",
                    Integer.toString(smallFilesPerNode),
                    "it must be from 0 to " + MAX_SMALL_FILES_PER_NODE,
                    "use the default of " + LoadBound.DEFAULT.smallKeysPerNode());
        }
        LoadBound bound = LoadBound.DEFAULT;
        return new LoadBound(bound.epsilon(), smallFilesPerNode, bound.gatheredSplitsPerNode(), bound.maxGatheredSplits());
    }

    /** Returns the minimum number of a scan's splits per worker before any are packed into one, checked; 0 means never. */
    public int packing()
    {
        if (unpackedSplitsPerNode < 0 || unpackedSplitsPerNode > MAX_UNPACKED_SPLITS_PER_NODE) {
            throw new ConfigException(
                    "hive.affinity-scheduling-unpacked-splits-per-node",
                    Integer.toString(unpackedSplitsPerNode),
                    "it must be from 0 to " + MAX_UNPACKED_SPLITS_PER_NODE,
                    "remove the line, for " + UNPACKED_SPLITS_PER_PROCESSOR + " per processor");
        }
        return unpackedSplitsPerNode;
    }

    private static java.time.Duration checked(String property, Duration value, Duration most, String preset)
    {
        if (value.compareTo(most) > 0) {
            throw new ConfigException(property, value.toString(), "it must be from 0s to " + most, "use the default of " + preset);
        }
        return java.time.Duration.ofNanos(value.roundTo(NANOSECONDS));
    }
}
