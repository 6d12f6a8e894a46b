// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.log;

import java.util.Collection;
import java.util.List;

/** Receives the metastore's changes. Names are lower case. Called by one thread at a time. Implementations do no I/O and do not throw. */
public interface ChangeListener
{
    /** A database was created, altered or dropped, with everything in it. */
    void databaseChanged(String database);

    /** A table was created, altered, dropped or renamed, from or to this name, with all its partitions. */
    void tableChanged(String database, String table);

    /**
     * Partitions of a table were added, altered, renamed or dropped.
     *
     * @param values the values of each partition, as the event has them. The metastore's database may have lost characters of an event that its tables have
     */
    void partitionsChanged(String database, String table, Collection<List<String>> values, PartitionChange change);

    /** Anything may have changed. */
    void everythingChanged();
}
