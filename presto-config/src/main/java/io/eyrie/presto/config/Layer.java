// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.config;

import java.util.Optional;

/** A layer of the cache, or of its counterpart in Presto, to which a catalog's properties belong. */
public enum Layer
{
    DATA("data cache"),
    PLACEMENT("placement of splits"),
    METASTORE("metastore cache and partition versions"),
    FILE_LISTS("file lists of sealed directories"),
    FRAGMENT_RESULTS("fragment results"),
    PARTITION_STATISTICS(
            "pruning and predicate stripping by partition statistics",
            "The metastore's statistics do not identify the files that they describe, and Eyrie uses file footers instead"),
    FOOTERS("ORC and Parquet metadata caches"),
    ALLUXIO_CLIENT("settings of Alluxio's client cache", "Eyrie does not pass them to Alluxio's client"),
    FILE_MERGE("Presto's file-merge cache", "Eyrie does not have this cache, and refuses cache.type=FILE_MERGE");

    private final String title;
    private final Optional<String> lacking;

    Layer(String title)
    {
        this.title = title;
        this.lacking = Optional.empty();
    }

    Layer(String title, String lacking)
    {
        this.title = title;
        this.lacking = Optional.of(lacking);
    }

    /** Returns the layer's name for messages. */
    public String title()
    {
        return title;
    }

    /** Returns why Eyrie does not have the layer, or empty if it has. Properties of such a layer are checked and have no effect. */
    public Optional<String> lacking()
    {
        return lacking;
    }
}
