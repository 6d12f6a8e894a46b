// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.config;

import io.eyrie.cache.file.Scope;

/**
 * Limits each scope of a level, except scopes with their own quota.
 *
 * @param bytes maximum disk space, over all directories
 */
public record DefaultQuota(Level level, long bytes)
{
    /** Which pages share a quota. */
    public enum Level
    {
        GLOBAL,
        SCHEMA,
        TABLE,
        PARTITION,
    }

    /** The scope whose quota applies to a page of another scope. */
    public Scope scopeOf(Scope scope)
    {
        return switch (level) {
            case GLOBAL -> Scope.NONE;
            case SCHEMA -> new Scope(scope.catalog(), scope.schema(), "", "");
            case TABLE -> new Scope(scope.catalog(), scope.schema(), scope.table(), "");
            case PARTITION -> scope;
        };
    }
}
