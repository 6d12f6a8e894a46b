package io.eyrie.metastore.entry;

import java.util.List;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * What an entry is.
 *
 * @param subject what it is about
 * @param reader whose view it is
 * @param detail which of the kind: a partition's values, the predicates that chose partition names, whose privileges
 */
public record EntryKey(Subject subject, Reader reader, Kind kind, Object detail)
{
    public EntryKey
    {
        requireNonNull(subject, "subject is null");
        requireNonNull(reader, "reader is null");
        requireNonNull(kind, "kind is null");
        requireNonNull(detail, "detail is null");
    }

    /** About how many bytes it takes beyond those that every key takes. */
    long bytes()
    {
        return detail instanceof Predicates predicates ? predicates.bytes() : 0;
    }

    /** The values of the partition, none for the table, of which another entry at this key is another version. */
    @SuppressWarnings("unchecked") // of a partition's kinds the detail is its values
    Optional<List<String>> changed()
    {
        if (kind.isOfPartition()) {
            return Optional.of((List<String>) detail);
        }
        return kind == Kind.TABLE || kind == Kind.TABLE_VERSION ? Optional.of(List.of()) : Optional.empty();
    }
}
