package io.eyrie.metastore.files;

import com.facebook.presto.hive.metastore.Partition;
import com.facebook.presto.hive.metastore.Table;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * A directory to list, as one query sees it.
 *
 * @param user whose view of the store it is, empty where all users have the same
 * @param path the whole path, with its store
 * @param options what else the answer depends on
 * @param table whose directory it is, as the metastore has just given it to the query, and the {@code partition} likewise
 */
public record Directory(String user, String path, Object options, Table table, Optional<Partition> partition)
{
    private static final String OPEN_PARAMETER = "eyrie.open";

    public Directory
    {
        requireNonNull(user, "user is null");
        requireNonNull(path, "path is null");
        requireNonNull(options, "options is null");
        requireNonNull(table, "table is null");
        requireNonNull(partition, "partition is null");
    }

    List<String> values()
    {
        return partition.map(Partition::getValues).orElse(List.of());
    }

    /** The metastore's own parameters: how many files and bytes, when they were last changed, and whatever writers leave there. */
    Map<String, String> parameters()
    {
        return partition.map(Partition::getParameters).orElseGet(table::getParameters);
    }

    boolean isDeclaredOpen()
    {
        return isOpen(table.getParameters()) || partition.filter(found -> !found.isSealedPartition() || isOpen(found.getParameters())).isPresent();
    }

    private static boolean isOpen(Map<String, String> parameters)
    {
        return Boolean.parseBoolean(parameters.get(OPEN_PARAMETER));
    }
}
