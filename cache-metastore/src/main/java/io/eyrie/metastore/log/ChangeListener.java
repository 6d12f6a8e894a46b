package io.eyrie.metastore.log;

import java.util.Collection;
import java.util.List;

/** Is told what changed in the metastore. Names are lower case. Called by one thread at a time; does no I/O and does not throw. */
public interface ChangeListener
{
    /** A database was created, altered or dropped, with all that is in it. */
    void databaseChanged(String database);

    /** A table was created, altered, dropped or renamed, from or to this name, with all its partitions. */
    void tableChanged(String database, String table);

    /**
     * Partitions of a table were added, altered, renamed or dropped.
     *
     * @param values of each partition, as the metastore has them
     * @param namesToo whether there are others now than before
     */
    void partitionsChanged(String database, String table, Collection<List<String>> values, boolean namesToo);

    /** Anything may have changed. */
    void everythingChanged();
}
