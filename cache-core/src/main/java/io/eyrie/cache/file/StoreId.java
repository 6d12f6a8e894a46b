package io.eyrie.cache.file;

import static java.util.Objects.requireNonNull;

/**
 * Where a file lives, and for whom.
 *
 * @param endpoint the endpoint or namenode that tells this store from others with the same paths, and a hash of what names the credentials where several may be in use
 * @param principal the user whose rights or bytes are meant, where they differ by user (impersonation, mapped roles);
 *         {@code ""} where all users of the store share its files
 */
public record StoreId(String endpoint, String principal)
{
    public StoreId
    {
        requireNonNull(endpoint, "endpoint is null");
        requireNonNull(principal, "principal is null");
    }

    /** A store that all its users see alike. */
    public static StoreId shared(String endpoint)
    {
        return new StoreId(endpoint, "");
    }
}
