// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.footer;

import io.eyrie.footer.FooterLimits;

import java.time.Duration;

/** Limits large enough for everything that the benchmark reads, like those of Presto's caches here. */
final class Limits
{
    static final FooterLimits OURS = new FooterLimits(true, WideFormat.CACHE_BYTES, Duration.ofHours(6));

    private Limits()
    {}
}
