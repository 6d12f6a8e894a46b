// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore;

import com.facebook.presto.hive.metastore.MetastoreUtil;

import java.util.List;

/** Normalizes the values that identify a partition: partition names, events and callers represent an empty value in different ways. */
final class PartitionValues
{
    private static final String EMPTY = "__HIVE_DEFAULT_PARTITION__";

    private PartitionValues()
    {}

    static List<String> of(List<String> values)
    {
        return values.contains("") ? values.stream().map(value -> value.isEmpty() ? EMPTY : value).toList() : List.copyOf(values);
    }

    static List<String> ofName(String partitionName)
    {
        return of(MetastoreUtil.toPartitionValues(partitionName));
    }
}
