package io.eyrie.footer;

import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.page.CacheMode;

import java.util.Set;

import static java.util.Objects.requireNonNull;

/**
 * One version of a file, opened by one query.
 *
 * @param version what every key holds: the principal is in its store
 * @param scope what entries are invalidated with
 * @param mode what the query does with the caches; a worker that does not keep the file only reads
 * @param bypassed what the query wants loaded as if there were no cache
 */
public record FooterFile(FileVersion version, Scope scope, CacheMode mode, Set<FooterKind> bypassed, FooterListener listener)
{
    public FooterFile
    {
        requireNonNull(version, "version is null");
        requireNonNull(scope, "scope is null");
        requireNonNull(mode, "mode is null");
        bypassed = Set.copyOf(bypassed);
        requireNonNull(listener, "listener is null");
    }

    /** Whether what is loaded is kept. */
    public boolean keep()
    {
        return mode == CacheMode.READ_WRITE;
    }
}
