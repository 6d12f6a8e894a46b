package io.eyrie.metastore.entry;

import static java.util.Objects.requireNonNull;

/**
 * What an entry is.
 *
 * @param subject what it is about
 * @param reader whose view it is
 * @param detail which of the kind: a partition's values, the predicates that chose partition names
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
}
