package io.eyrie.cache.page;

import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.Scope;

import java.util.Map;

/**
 * What an operator or a layer above does to a whole {@link PageCache}. Thread-safe.
 *
 * <p>Invalidation frees space earlier; a key holds the version of what it names, so that nothing else depends on it. After it has
 * returned, no read is served from what was loaded before, and no load that began before publishes anything. It takes no longer
 * for more pages.
 */
public interface PageCacheControl
{
    /** Drops one version of a file. */
    void invalidate(FileVersion version);

    /** Drops everything whose scope lies within this one, in which {@code ""} stands for any. */
    void invalidate(Scope scope);

    /** Bounds the bytes of everything whose scope lies within this one. Stays over restarts. */
    void setQuota(Scope scope, long bytes);

    void removeQuota(Scope scope);

    Map<Scope, Long> quotas();

    /**
     * Takes what an operator says, in the place of what was said before on behalf of the same owner, until the next start.
     *
     * @param owner tells those apart who share the cache
     */
    void steer(String owner, Steering steering);

    /** Records what is looked up until a time, milliseconds since the epoch, where {@code traceWhenTold} is configured; 0 ends it. */
    default void recordTrace(long untilMillis)
    {}

    /** Changes the capacity until the next start. */
    void resize(long capacityBytes);
}
