package io.eyrie.metastore.entry;

import static java.util.Objects.requireNonNull;

/**
 * Whose view of the metastore it is: answers of one are not given to another.
 *
 * @param user the impersonated user, empty without impersonation
 * @param userDefinedTypes whether columns may be of types that users define, which changes how they are read
 */
public record Reader(String user, boolean userDefinedTypes)
{
    public Reader
    {
        requireNonNull(user, "user is null");
    }
}
