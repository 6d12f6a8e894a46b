package io.eyrie.cache.page;

import io.eyrie.cache.file.Scope;

import static java.util.Objects.requireNonNull;

/**
 * What a store keeps beside a page and is no part of its identity.
 *
 * @param scope what the page is invalidated and accounted with
 */
public record PageTags(Scope scope, StorageClass storageClass)
{
    public PageTags
    {
        requireNonNull(scope, "scope is null");
        requireNonNull(storageClass, "storageClass is null");
    }
}
