// SPDX-License-Identifier: Apache-2.0
package io.eyrie.footer;

import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.page.CacheMode;

import java.util.Set;

import static java.util.Objects.requireNonNull;

/**
 * One version of a file, opened by one query.
 *
 * @param version part of every key; its store includes the principal
 * @param scope by which entries are invalidated
 * @param mode how the query uses the caches; a worker that does not cache the file only reads from them
 * @param bypassed the kinds that the query loads as if there were no cache
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

    /** Whether loaded entries are cached. */
    public boolean keep()
    {
        return mode == CacheMode.READ_WRITE;
    }
}
