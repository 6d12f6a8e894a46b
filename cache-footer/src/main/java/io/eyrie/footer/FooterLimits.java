// SPDX-License-Identifier: Apache-2.0
package io.eyrie.footer;

import java.time.Duration;

import static java.util.Objects.requireNonNull;

/**
 * The bounds of one kind.
 *
 * @param enabled whether the kind is cached at all
 * @param bytes the maximum estimated memory of its entries
 * @param ttl how long an entry is retained after its last use
 */
public record FooterLimits(boolean enabled, long bytes, Duration ttl)
{
    public FooterLimits
    {
        requireNonNull(ttl, "ttl is null");
        if (bytes < 0 || ttl.isNegative()) {
            throw new IllegalArgumentException("negative bounds: " + bytes + " bytes, " + ttl);
        }
    }
}
