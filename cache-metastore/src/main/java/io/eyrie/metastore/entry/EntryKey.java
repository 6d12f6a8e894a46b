// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.entry;

import java.util.List;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * The identity of an entry.
 *
 * @param subject the subject of the entry
 * @param reader the view of the metastore that the entry belongs to
 * @param detail distinguishes entries of the kind: a partition's values, the predicates that selected partition names, or a principal
 */
public record EntryKey(Subject subject, MetastoreView reader, EntryKind kind, Object detail)
{
    public EntryKey
    {
        requireNonNull(subject, "subject is null");
        requireNonNull(reader, "reader is null");
        requireNonNull(kind, "kind is null");
        requireNonNull(detail, "detail is null");
    }

    /** Returns the estimated bytes of the key, beyond those that every key takes. */
    long bytes()
    {
        return detail instanceof Predicates predicates ? predicates.bytes() : 0;
    }

    /**
     * Returns the part of the subject that has a new version when the entry at this key is replaced: the values of a partition, or an empty list for the table.
     * Empty for all other kinds.
     */
    Optional<List<String>> changed()
    {
        if (kind.isOfPartition()) {
            return Optional.of(partitionValues());
        }
        return kind == EntryKind.TABLE || kind == EntryKind.TABLE_VERSION ? Optional.of(List.of()) : Optional.empty();
    }

    /** Returns the values of the partition of a key of such a kind. */
    @SuppressWarnings("unchecked") // the detail of these kinds
    List<String> partitionValues()
    {
        return (List<String>) detail;
    }
}
