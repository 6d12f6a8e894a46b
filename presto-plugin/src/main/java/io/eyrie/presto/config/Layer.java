package io.eyrie.presto.config;

/** A layer of the cache, or of what Presto has in its place, to which properties of a catalog belong. */
enum Layer
{
    DATA("data cache", true),
    PLACEMENT("placement of splits", true),
    METASTORE("metastore cache and partition versions", true),
    FILE_LISTS("file lists of sealed directories", true),
    FRAGMENT_RESULTS("fragment results", true),
    PARTITION_STATISTICS("pruning and predicate stripping by partition statistics", false),
    FOOTERS("ORC and Parquet metadata caches", true),
    ALLUXIO_CLIENT("settings of Alluxio's client cache, which runs with Presto's defaults", false),
    FILE_MERGE("file-merge cache (cache.type=FILE_MERGE)", false);

    private final String title;
    private final boolean built;

    Layer(String title, boolean built)
    {
        this.title = title;
        this.built = built;
    }

    String title()
    {
        return title;
    }

    /** Whether Eyrie has the layer. The properties of one that it lacks are checked, and have no effect. */
    boolean isBuilt()
    {
        return built;
    }
}
