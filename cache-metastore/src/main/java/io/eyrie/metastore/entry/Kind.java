package io.eyrie.metastore.entry;

/** Kinds of entries. */
public enum Kind
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
    /** What tells a table's versions apart, where a metastore says it. */
    TABLE_VERSION(false, false),
    /** What tells a partition's versions apart, where a metastore says it. */
    PARTITION_VERSION(true, false),
    ROLES(false, false),
    ROLE_GRANTS(false, false),
    TABLE_PRIVILEGES(false, false);

    private final boolean ofPartition;
    private final boolean statistics;

    Kind(boolean ofPartition, boolean statistics)
    {
        this.ofPartition = ofPartition;
        this.statistics = statistics;
    }

    /** Whether it is about one partition. */
    public boolean isOfPartition()
    {
        return ofPartition;
    }

    /** Whether the metastore may change it without a word. */
    public boolean isStatistics()
    {
        return statistics;
    }
}
