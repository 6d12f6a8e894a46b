// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.metastore;

import io.eyrie.cache.file.Scope;
import io.eyrie.metastore.VersionedHiveMetastore;
import io.eyrie.metastore.files.FileLists;
import io.eyrie.presto.control.Steerable;

import javax.inject.Inject;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/** Drops cached metadata and file lists. If the scope is a partition, it drops those of the whole table. */
final class SteeredMetadata
        implements Steerable
{
    private final Optional<VersionedHiveMetastore> metastore;
    private final FileLists lists;

    @Inject
    SteeredMetadata(Optional<VersionedHiveMetastore> metastore, FileLists lists)
    {
        this.metastore = requireNonNull(metastore, "metastore is null");
        this.lists = requireNonNull(lists, "lists is null");
    }

    @Override
    public void invalidate(Scope scope)
    {
        // before the lists: dropping those renews the crash mark, and the stored state with the new mark must not contain this metadata
        metastore.ifPresent(kept -> kept.forget(scope.schema(), scope.table()));
        if (scope.schema().isEmpty()) {
            lists.forgetAll();
        }
        else if (scope.table().isEmpty()) {
            lists.forgetDatabase(scope.schema());
        }
        else {
            lists.forgetTable(scope.schema(), scope.table());
        }
    }
}
