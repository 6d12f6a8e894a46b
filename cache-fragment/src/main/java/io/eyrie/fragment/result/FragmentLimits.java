package io.eyrie.fragment.result;

import io.eyrie.cache.config.ConfigException;

import java.time.Duration;

/**
 * Bounds of what is recorded and kept.
 *
 * @param maxResultBytes the longest result, as stored; a longer one is not kept
 * @param maxDecodedBytes the most memory of all pages of a result together; a larger one is not kept
 * @param maxResultRows the most rows of one
 * @param maxRecordTime how long one may take to record
 * @param maxInFlightBytes what all results that are recorded or served may hold in memory; beyond it none is recorded, and splits whose results are there are computed
 * @param maxMemoryBytes what of the results used last is kept in memory beside the disk
 * @param waitMillis how long one who wants what another computes waits for it
 * @param maxShareOfInput how large a result may be beside the bytes that were read for it, unless computing it costs far more than reading it
 */
public record FragmentLimits(
        int maxResultBytes,
        long maxDecodedBytes,
        long maxResultRows,
        Duration maxRecordTime,
        long maxInFlightBytes,
        long maxMemoryBytes,
        long waitMillis,
        double maxShareOfInput)
{
    /** The defaults. */
    public static final FragmentLimits DEFAULT = new FragmentLimits(
            32 << 20, 1L << 30, 5_000_000, Duration.ofMinutes(10), 256L << 20, 64L << 20, 10_000, 0.5);

    public FragmentLimits
    {
        check(maxResultBytes > 0, "maxResultBytes", maxResultBytes, "it must be positive", "set it to 32 MiB");
        check(maxDecodedBytes > 0, "maxDecodedBytes", maxDecodedBytes, "it must be positive", "set it to 1 GiB");
        check(maxResultRows > 0, "maxResultRows", maxResultRows, "it must be positive", "set it to 5,000,000");
        check(maxRecordTime.compareTo(Duration.ZERO) > 0, "maxRecordTime", maxRecordTime, "it must be positive", "set it to 10 m");
        check(maxInFlightBytes >= maxResultBytes, "maxInFlightBytes", maxInFlightBytes, "it must be at least maxResultBytes, " + maxResultBytes,
                "raise it, or lower the other");
        check(maxMemoryBytes >= 0, "maxMemoryBytes", maxMemoryBytes, "it must not be negative", "set it to 64 MiB");
        check(waitMillis >= 0, "waitMillis", waitMillis, "it must not be negative", "set it to 10 s");
        check(maxShareOfInput > 0, "maxShareOfInput", maxShareOfInput, "it must be positive", "set it to 0.5");
    }

    private static void check(boolean good, String key, Object value, String allowed, String fix)
    {
        if (!good) {
            throw new ConfigException(key, value.toString(), allowed, fix);
        }
    }
}
