// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.entry;

import static java.util.Objects.requireNonNull;

/**
 * A view of the metastore. Values of one view are never returned to another.
 *
 * @param user the impersonated user, empty without impersonation
 * @param userDefinedTypes whether columns may have user-defined types, which changes how they are read
 */
public record MetastoreView(String user, boolean userDefinedTypes)
{
    public MetastoreView
    {
        requireNonNull(user, "user is null");
    }
}
