// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.entry;

/** Kinds of entries. */
public enum EntryKind
{
    DATABASES(false, false),
    DATABASE(false, false),
    TABLES(false, false),
    VIEWS(false, false),
    TABLE(false, false),
    CONSTRAINTS(false, false),
    TABLE_STATISTICS(false, true),
    PARTITION_NAMES(false, false),
    PARTITION(true, false),
    PARTITION_STATISTICS(true, true),
    /** The metastore's own version of a table, if it has one. */
    TABLE_VERSION(false, false),
    /** The metastore's own version of a partition, if it has one. */
    PARTITION_VERSION(true, false),
    ROLES(false, false),
    ROLE_GRANTS(false, false),
    TABLE_PRIVILEGES(false, false);

    private final boolean ofPartition;
    private final boolean statistics;

    EntryKind(boolean ofPartition, boolean statistics)
    {
        this.ofPartition = ofPartition;
        this.statistics = statistics;
    }

    /** Whether an entry of this kind concerns one partition. */
    public boolean isOfPartition()
    {
        return ofPartition;
    }

    /** Whether the metastore may change it without reporting it. */
    public boolean isStatistics()
    {
        return statistics;
    }
}
