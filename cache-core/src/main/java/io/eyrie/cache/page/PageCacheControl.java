// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.page;

import io.eyrie.cache.admission.Steering;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.Scope;

import java.util.Map;
import java.util.function.Predicate;

/**
 * Controls a whole {@link PageCache} for an operator or a layer above it. Thread-safe.
 *
 * <p>Invalidation only frees space earlier: correctness does not depend on it, because each key contains the version of the file. After an
 * invalidation has returned, no read is served from data loaded before it, and no load that began before it publishes anything. Its cost does not
 * grow with the number of pages.
 */
public interface PageCacheControl
{
    /** Drops one version of a file. */
    void invalidate(FileVersion version);

    /** Drops everything whose scope lies within this one, in which {@code ""} matches any name. */
    void invalidate(Scope scope);

    /**
     * Replaces quotas in one step, whose cost grows with the number of pages. A quota limits the bytes of everything whose scope lies within its
     * scope. Persists across restarts.
     *
     * @param which the scopes whose previous quotas end unless they are among the new ones
     */
    void setQuotas(Predicate<Scope> which, Map<Scope, Long> quotas);

    Map<Scope, Long> quotas();

    /**
     * Applies an operator's steering until the next start. It replaces the previous steering of the same owner.
     *
     * @param owner distinguishes the users of a shared cache
     */
    void steer(String owner, Steering steering);

    /**
     * Records lookups until a time, if {@code traceOnRequest} is configured. Replaces the previous time of the same owner; the latest time of all owners counts.
     *
     * @param owner distinguishes the users of a shared cache
     * @param untilMillis milliseconds since the epoch; 0 for no recording
     */
    default void recordTrace(String owner, long untilMillis)
    {}

    /** Changes the capacity until the next start. */
    void resize(long capacityBytes);
}
