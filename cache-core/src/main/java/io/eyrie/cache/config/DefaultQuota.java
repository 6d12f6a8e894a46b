package io.eyrie.cache.config;

import io.eyrie.cache.file.Scope;

/**
 * What each scope of a level may take at most, unless a quota names that very scope.
 *
 * @param bytes of disk space, over all directories
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

    /** The scope whose quota a page of another falls under. */
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
