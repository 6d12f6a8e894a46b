// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.entry;

import io.eyrie.cache.blob.BlobKey;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * The text of an entry's key on the disk, without the table and the reader. Texts of partitions of the same table that have neighboring values are neighbors.
 *
 * @param kind a letter for the kind of entry
 * @param values the values of a partition; empty for the table
 * @param detail distinguishes entries of the same kind and partition
 */
record StoredKey(char kind, List<String> values, String detail)
{
    /*
     * Text  the letter; each value and a NUL; the detail
     */
    private static final char END = 0;
    private static final char TABLE = 't';
    private static final char CONSTRAINTS = 'c';
    private static final char TABLE_STATISTICS = 'u';
    private static final char NAMES = 'n';
    private static final char PARTITION = 'p';
    private static final char PARTITION_STATISTICS = 's';
    private static final char FILES = 'f';

    StoredKey
    {
        values = List.copyOf(values);
        requireNonNull(detail, "detail is null");
    }

    /** Returns the text for an entry; empty if it is not of a kind that is stored, or its key has no text. */
    static Optional<String> text(EntryKey key)
    {
        return switch (key.kind()) {
            case TABLE -> text(TABLE, List.of(), "");
            case CONSTRAINTS -> text(CONSTRAINTS, List.of(), "");
            case TABLE_STATISTICS -> text(TABLE_STATISTICS, List.of(), "");
            case PARTITION -> text(PARTITION, key.partitionValues(), "");
            case PARTITION_STATISTICS -> text(PARTITION_STATISTICS, key.partitionValues(), "");
            case PARTITION_NAMES -> key.detail() instanceof Predicates predicates
                    ? predicates.identity().map(StoredKey::hash).flatMap(hash -> text(NAMES, List.of(), hash))
                    : text(NAMES, List.of(), "");
            // privileges and roles change without an event; the versions of a metastore without a log validate nothing by themselves
            case DATABASES, DATABASE, TABLES, VIEWS, TABLE_VERSION, PARTITION_VERSION, ROLES, ROLE_GRANTS, TABLE_PRIVILEGES -> Optional.empty();
        };
    }

    /** Returns the text for a list of files. */
    static Optional<String> ofList(List<String> values, BlobKey identity)
    {
        return text(FILES, values, hash(identity));
    }

    private static Optional<String> text(char kind, List<String> values, String detail)
    {
        StringBuilder text = new StringBuilder().append(kind);
        for (String value : values) {
            if (value.indexOf(END) >= 0) {
                return Optional.empty();
            }
            text.append(value).append(END);
        }
        return Optional.of(text.append(detail).toString());
    }

    private static String hash(BlobKey key)
    {
        return String.format(Locale.ROOT, "%016x%016x", key.hashHigh(), key.hashLow());
    }

    static StoredKey parse(String text)
    {
        List<String> values = new ArrayList<>();
        int from = 1;
        for (int end = text.indexOf(END, from); end >= 0; end = text.indexOf(END, from)) {
            values.add(text.substring(from, end));
            from = end + 1;
        }
        return new StoredKey(text.charAt(0), values, text.substring(from));
    }

    boolean isOfNames()
    {
        return kind == NAMES;
    }

    /** Returns the key of an entry of a partition; empty for all other kinds. */
    Optional<EntryKey> ofPartition(Subject subject, MetastoreView reader)
    {
        return switch (kind) {
            case PARTITION -> Optional.of(new EntryKey(subject, reader, EntryKind.PARTITION, values));
            case PARTITION_STATISTICS -> Optional.of(new EntryKey(subject, reader, EntryKind.PARTITION_STATISTICS, values));
            default -> Optional.empty();
        };
    }
}
