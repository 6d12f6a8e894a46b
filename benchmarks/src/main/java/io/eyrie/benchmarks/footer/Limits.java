package io.eyrie.benchmarks.footer;

import io.eyrie.footer.FooterLimits;

import java.time.Duration;

/** Bounds that hold all that is read, as Presto's have here too. */
final class Limits
{
    static final FooterLimits OURS = new FooterLimits(true, WideFormat.CACHE_BYTES, Duration.ofHours(6));

    private Limits()
    {}
}
