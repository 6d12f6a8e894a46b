// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.config;

import com.facebook.airlift.configuration.Config;
import com.facebook.airlift.configuration.ConfigDescription;
import io.airlift.units.DataSize;
import io.airlift.units.Duration;
import io.eyrie.cache.config.ConfigException;
import org.jspecify.annotations.Nullable;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

import static io.airlift.units.DataSize.Unit.MEGABYTE;
import static java.util.concurrent.TimeUnit.SECONDS;

/** The properties {@code fragment-result-cache.*}. In RaptorX's guide they are part of the engine's configuration; Eyrie reads them from a catalog's. */
@SuppressWarnings("UnnecessaryQualifier") // airlift's annotations look like Guice's
public class FragmentConfig
{
    private static final Set<String> CODECS = Set.of("NONE", "LZ4");
    private static final Duration MOST_LISTING_TIME = new Duration(60, SECONDS);

    private boolean enabled;
    private long maxCachedEntries;
    private @Nullable String baseDirectory;
    private @Nullable Duration cacheTtl;
    private @Nullable DataSize maxCacheSize;
    private boolean inputDataStatsEnabled;
    private DataSize maxInFlightSize = new DataSize(256, MEGABYTE);
    private DataSize maxSinglePagesSize = new DataSize(32, MEGABYTE);
    private String codec = "LZ4";
    private boolean subsumptionEnabled = true;
    private String joinedAdmission = JoinAdmission.SEEN_TWICE.label();
    private DataSize joinedMaxBuildSize = new DataSize(256, MEGABYTE);
    private Duration joinedListingTime = new Duration(2, SECONDS);

    public boolean isEnabled()
    {
        return enabled;
    }

    @Config("fragment-result-cache.enabled")
    @ConfigDescription("Cache the results of plan fragments in the same directories as pages")
    public FragmentConfig setEnabled(boolean enabled)
    {
        this.enabled = enabled;
        return this;
    }

    public long getMaxCachedEntries()
    {
        return maxCachedEntries;
    }

    @Config("fragment-result-cache.max-cached-entries")
    @ConfigDescription("Has no effect: results are evicted by size and use, like pages")
    public FragmentConfig setMaxCachedEntries(long maxCachedEntries)
    {
        this.maxCachedEntries = maxCachedEntries;
        return this;
    }

    public @Nullable String getBaseDirectory()
    {
        return baseDirectory;
    }

    @Config("fragment-result-cache.base-directory")
    @ConfigDescription("Has no effect: results are stored in cache.base-directory and share its capacity with pages")
    public FragmentConfig setBaseDirectory(@Nullable String baseDirectory)
    {
        this.baseDirectory = baseDirectory;
        return this;
    }

    public @Nullable Duration getCacheTtl()
    {
        return cacheTtl;
    }

    @Config("fragment-result-cache.cache-ttl")
    @ConfigDescription("Has no effect: a result is keyed by the versions of all its inputs and is never stale")
    public FragmentConfig setCacheTtl(@Nullable Duration cacheTtl)
    {
        this.cacheTtl = cacheTtl;
        return this;
    }

    public @Nullable DataSize getMaxCacheSize()
    {
        return maxCacheSize;
    }

    @Config("fragment-result-cache.max-cache-size")
    @ConfigDescription("Has no effect: cache.max-cache-size limits pages and results together")
    public FragmentConfig setMaxCacheSize(@Nullable DataSize maxCacheSize)
    {
        this.maxCacheSize = maxCacheSize;
        return this;
    }

    public boolean isInputDataStatsEnabled()
    {
        return inputDataStatsEnabled;
    }

    @Config("fragment-result-cache.input-data-stats-enabled")
    @ConfigDescription("Has no effect: a split served from the cache always reports the input that was read to compute its result")
    public FragmentConfig setInputDataStatsEnabled(boolean inputDataStatsEnabled)
    {
        this.inputDataStatsEnabled = inputDataStatsEnabled;
        return this;
    }

    public DataSize getMaxInFlightSize()
    {
        return maxInFlightSize;
    }

    @Config("fragment-result-cache.max-in-flight-size")
    @ConfigDescription("Maximum memory for all results that are being recorded or served")
    public FragmentConfig setMaxInFlightSize(DataSize maxInFlightSize)
    {
        this.maxInFlightSize = maxInFlightSize;
        return this;
    }

    public DataSize getMaxSinglePagesSize()
    {
        return maxSinglePagesSize;
    }

    @Config("fragment-result-cache.max-single-pages-size")
    @ConfigDescription("Maximum size of the result of one split")
    public FragmentConfig setMaxSinglePagesSize(DataSize maxSinglePagesSize)
    {
        this.maxSinglePagesSize = maxSinglePagesSize;
        return this;
    }

    public String getBlockEncodingCompressionCodec()
    {
        return codec;
    }

    @Config("fragment-result-cache.block-encoding-compression-codec")
    @ConfigDescription("Compression of stored results: LZ4 or NONE")
    public FragmentConfig setBlockEncodingCompressionCodec(String codec)
    {
        this.codec = codec;
        return this;
    }

    public boolean isSubsumptionEnabled()
    {
        return subsumptionEnabled;
    }

    @Config("fragment-result-cache.subsumption-enabled")
    @ConfigDescription("Answer aggregations from cached results of finer groups, where the answer is provably the same")
    public FragmentConfig setSubsumptionEnabled(boolean subsumptionEnabled)
    {
        this.subsumptionEnabled = subsumptionEnabled;
        return this;
    }

    public String getJoinedAdmission()
    {
        return joinedAdmission;
    }

    @Config(JoinAdmission.PROPERTY)
    @ConfigDescription("Which joins below an aggregation or ORDER BY with LIMIT become one scan whose results are cached: never, seen-twice or always")
    public FragmentConfig setJoinedAdmission(String joinedAdmission)
    {
        this.joinedAdmission = joinedAdmission;
        return this;
    }

    public DataSize getJoinedMaxBuildSize()
    {
        return joinedMaxBuildSize;
    }

    @Config("fragment-result-cache.joined.max-build-size")
    @ConfigDescription("Maximum memory of a worker for the build sides (small tables) of joins whose results are cached, at most a tenth of its heap; a table whose files take at most a quarter of this can be a build side")
    public FragmentConfig setJoinedMaxBuildSize(DataSize joinedMaxBuildSize)
    {
        this.joinedMaxBuildSize = joinedMaxBuildSize;
        return this;
    }

    public Duration getJoinedListingTime()
    {
        return joinedListingTime;
    }

    @Config("fragment-result-cache.joined.listing-time")
    @ConfigDescription("Maximum time to list, while planning, the files of the small tables of joins whose results are cached; beyond it, the joins stay as Presto planned them")
    public FragmentConfig setJoinedListingTime(Duration joinedListingTime)
    {
        this.joinedListingTime = joinedListingTime;
        return this;
    }

    /** Whether results are stored compressed. */
    public boolean isCompressed()
    {
        return codec.equalsIgnoreCase("LZ4");
    }

    /**
     * Checks all properties.
     *
     * @throws ConfigException about a property, by its name
     */
    public void validate()
    {
        if (!CODECS.contains(codec.toUpperCase(Locale.ROOT))) {
            throw new ConfigException("fragment-result-cache.block-encoding-compression-codec", codec, "it must be LZ4 or NONE", "set it to LZ4");
        }
        JoinAdmission.of(joinedAdmission);
        if (joinedMaxBuildSize.toBytes() < 1) {
            throw new ConfigException("fragment-result-cache.joined.max-build-size", joinedMaxBuildSize.toString(), "it must be positive",
                    "use the default of 256MB, or set " + JoinAdmission.PROPERTY + "=never");
        }
        if (joinedListingTime.toMillis() < 1 || joinedListingTime.compareTo(MOST_LISTING_TIME) > 0) {
            throw new ConfigException("fragment-result-cache.joined.listing-time", joinedListingTime.toString(), "it must be from 1ms to "
                    + MOST_LISTING_TIME, "use the default of 2s, or set " + JoinAdmission.PROPERTY + "=never");
        }
        if (maxSinglePagesSize.toBytes() < 1) {
            throw new ConfigException("fragment-result-cache.max-single-pages-size", maxSinglePagesSize.toString(), "it must be positive",
                    "use the default of 32MB, or set fragment-result-cache.enabled=false");
        }
        if (maxInFlightSize.compareTo(maxSinglePagesSize) < 0) {
            throw new ConfigException("fragment-result-cache.max-in-flight-size", maxInFlightSize.toString(),
                    "it must be at least fragment-result-cache.max-single-pages-size, " + maxSinglePagesSize, "raise it, or lower the other");
        }
    }

    /** Returns the properties that are set, and that stock Presto needs and Eyrie does not, with the reason why each has no effect. */
    public Map<String, String> withoutEffect()
    {
        Map<String, String> reasons = new TreeMap<>();
        if (baseDirectory != null) {
            reasons.put("fragment-result-cache.base-directory", "fragment results are stored in cache.base-directory");
        }
        if (cacheTtl != null) {
            reasons.put("fragment-result-cache.cache-ttl", "fragment results are keyed by the versions of all their inputs, and are never stale");
        }
        if (maxCacheSize != null) {
            reasons.put("fragment-result-cache.max-cache-size", "cache.max-cache-size limits pages and fragment results together");
        }
        if (maxCachedEntries > 0) {
            reasons.put("fragment-result-cache.max-cached-entries", "fragment results are evicted by size and use");
        }
        if (inputDataStatsEnabled) {
            reasons.put("fragment-result-cache.input-data-stats-enabled", "a split served from the cache always reports the input of its result");
        }
        return reasons;
    }

    /** Returns a message about these properties, if any is set. */
    public Optional<String> notice()
    {
        Map<String, String> set = withoutEffect();
        return set.isEmpty()
                ? Optional.empty()
                : Optional.of(String.join(", ", set.keySet())
                        + ": fragment results are stored in cache.base-directory, share its capacity with pages, "
                        + "are evicted by size and use, and are keyed by the versions of all their inputs");
    }
}
