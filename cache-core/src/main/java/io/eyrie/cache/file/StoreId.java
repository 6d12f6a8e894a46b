// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.file;

import static java.util.Objects.requireNonNull;

/**
 * The store of a file, and the user who reads it.
 *
 * @param endpoint the endpoint or namenode that distinguishes this store from others with the same paths, and a hash of the identity of the
 *         credentials if several may be in use
 * @param principal the user whose permissions or bytes apply, if they differ by user (impersonation, mapped roles); {@code ""} if all users of
 *         the store share its files
 */
public record StoreId(String endpoint, String principal)
{
    public StoreId
    {
        requireNonNull(endpoint, "endpoint is null");
        requireNonNull(principal, "principal is null");
    }

    /** A store whose files are the same for all users. */
    public static StoreId shared(String endpoint)
    {
        return new StoreId(endpoint, "");
    }
}
