// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.files;

import com.facebook.presto.hive.metastore.Partition;
import com.facebook.presto.hive.metastore.Storage;
import com.facebook.presto.hive.metastore.Table;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * A directory to list, as one query sees it.
 *
 * @param queryId the query; empty if it is not known
 * @param user the store, and the user (and credential) whose view of it this is, if users have different views
 * @param path the whole path, with its store
 * @param options everything else that affects the listing
 * @param table the table of the directory, as the metastore returned it to the query; {@code partition} likewise
 */
public record Directory(String queryId, String user, String path, Object options, Table table, Optional<Partition> partition)
{
    private static final String OPEN_PARAMETER = "eyrie.open";
    /** Its tables name files in other directories, whose changes the metastore never reports. */
    private static final String SYMLINKS = "org.apache.hadoop.hive.ql.io.SymlinkTextInputFormat";

    public Directory
    {
        requireNonNull(queryId, "queryId is null");
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

    /** Returns the metastore's own parameters: numbers of files and bytes, times of changes, and anything that writers store there. */
    Map<String, String> parameters()
    {
        return partition.map(Partition::getParameters).orElseGet(table::getParameters);
    }

    boolean isDeclaredOpen()
    {
        return isOpen(table.getParameters()) || hasSymlinks(table.getStorage()) || partition.filter(found -> hasSymlinks(found.getStorage()))
                .isPresent()
                || partition.filter(found -> !found.isSealedPartition() || isOpen(found.getParameters())).isPresent();
    }

    private static boolean hasSymlinks(Storage storage)
    {
        return SYMLINKS.equals(storage.getStorageFormat().getInputFormatNullable());
    }

    private static boolean isOpen(Map<String, String> parameters)
    {
        return Boolean.parseBoolean(parameters.get(OPEN_PARAMETER));
    }
}
