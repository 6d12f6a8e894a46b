// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.result;

import io.eyrie.cache.config.ConfigException;
import io.eyrie.cache.flight.SingleFlight;

import java.time.Duration;

/**
 * The bounds on recorded and stored results.
 *
 * @param maxResultBytes maximum stored length of a result; longer ones are not stored
 * @param maxDecodedBytes maximum memory of all pages of a result together; larger results are not stored
 * @param maxResultRows maximum rows of a result
 * @param maxRecordTime maximum time to record a result
 * @param maxInFlightBytes maximum memory of all results being recorded or served; beyond it nothing is recorded, and splits with stored results are
 *         computed
 * @param maxMemoryBytes maximum memory for copies of recently used results, in addition to the disk
 * @param waitMillis how long a caller waits for a result that another caller is computing
 * @param maxShareOfInput maximum size of a result relative to the bytes read for it, unless computing it costs far more than reading it
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
            32 << 20, 1L << 30, 5_000_000, Duration.ofMinutes(10), 256L << 20, 64L << 20, SingleFlight.WAIT_MILLIS, 0.5);

    public FragmentLimits
    {
        check(maxResultBytes > 0, "maxResultBytes", maxResultBytes, "it must be positive", "set it to 32 MiB");
        check(maxDecodedBytes > 0, "maxDecodedBytes", maxDecodedBytes, "it must be positive", "set it to 1 GiB");
        check(maxResultRows > 0, "maxResultRows", maxResultRows, "it must be positive", "set it to 5,000,000");
        check(maxRecordTime.compareTo(Duration.ZERO) > 0, "maxRecordTime", maxRecordTime, "it must be positive", "set it to 10 m");
        check(maxInFlightBytes >= maxResultBytes, "maxInFlightBytes", maxInFlightBytes, "it must be at least maxResultBytes, " + maxResultBytes,
                "raise it, or lower maxResultBytes");
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
