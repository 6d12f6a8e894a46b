package io.eyrie.footer;

import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.Scope;

import java.util.Set;

import static java.util.Objects.requireNonNull;

/**
 * One version of a file, opened by one query.
 *
 * @param version what every key holds: the principal is in its store
 * @param scope what entries are invalidated with
 * @param keep whether this worker keeps what it loads; what is there it uses in any case
 * @param bypassed what the query wants loaded as if there were no cache
 */
public record FooterFile(FileVersion version, Scope scope, boolean keep, Set<FooterKind> bypassed, FooterListener listener)
{
    public FooterFile
    {
        requireNonNull(version, "version is null");
        requireNonNull(scope, "scope is null");
        bypassed = Set.copyOf(bypassed);
        requireNonNull(listener, "listener is null");
    }
}
