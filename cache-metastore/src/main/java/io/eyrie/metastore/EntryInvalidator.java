// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore;

import io.eyrie.metastore.entry.Entries;
import io.eyrie.metastore.log.ChangeListener;
import io.eyrie.metastore.log.PartitionChange;

import java.util.Collection;
import java.util.List;

import static java.util.Objects.requireNonNull;

/** Drops the entries that the log reports as changed. */
record EntryInvalidator(Entries entries)
        implements ChangeListener
{
    EntryInvalidator
    {
        requireNonNull(entries, "entries is null");
    }

    @Override
    public void databaseChanged(String database)
    {
        entries.databaseChanged(database);
    }

    @Override
    public void tableChanged(String database, String table)
    {
        entries.tableChanged(database, table);
    }

    @Override
    public void partitionsChanged(String database, String table, Collection<List<String>> values, PartitionChange change)
    {
        entries.partitionsReported(
                database, table, values.stream().map(PartitionValues::of).toList(), change != PartitionChange.ALTERED,
                change == PartitionChange.ADDED);
    }

    @Override
    public void everythingChanged()
    {
        entries.everythingChanged();
    }
}
