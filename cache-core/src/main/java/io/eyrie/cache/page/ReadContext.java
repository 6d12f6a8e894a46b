package io.eyrie.cache.page;

import io.eyrie.cache.file.Scope;

import static java.util.Objects.requireNonNull;

/** On whose behalf a file is read: what it belongs to, what the cache may do, and who listens. */
public record ReadContext(Scope scope, CacheMode mode, ReadListener listener)
{
    public ReadContext
    {
        requireNonNull(scope, "scope is null");
        requireNonNull(mode, "mode is null");
        requireNonNull(listener, "listener is null");
    }
}
