// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.store;

import io.eyrie.cache.file.Scope;

import static java.util.Objects.requireNonNull;

/**
 * The attributes that a store saves with a page and that are not part of its identity.
 *
 * @param scope the scope for invalidation and accounting
 */
public record PageTags(Scope scope, StorageClass storageClass)
{
    public PageTags
    {
        requireNonNull(scope, "scope is null");
        requireNonNull(storageClass, "storageClass is null");
    }
}
