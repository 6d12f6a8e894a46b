// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.log;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Records the changes that it receives. */
final class RecordingChangeListener
        implements ChangeListener
{
    private final List<String> changes = new ArrayList<>();

    synchronized List<String> take()
    {
        List<String> taken = List.copyOf(changes);
        changes.clear();
        return taken;
    }

    @Override
    public synchronized void databaseChanged(String database)
    {
        changes.add(database);
    }

    @Override
    public synchronized void tableChanged(String database, String table)
    {
        changes.add(database + "." + table);
    }

    @Override
    public synchronized void partitionsChanged(String database, String table, Collection<List<String>> values, PartitionChange change)
    {
        changes.add(database + "." + table + " " + values + " " + change);
    }

    @Override
    public synchronized void everythingChanged()
    {
        changes.add("everything");
    }
}
