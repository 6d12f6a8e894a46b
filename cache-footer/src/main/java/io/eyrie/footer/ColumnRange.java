package io.eyrie.footer;

import static java.util.Objects.requireNonNull;

/**
 * Where the chunk of a column lies in a file: all that a row group has of it.
 *
 * @param column its path in the schema, with dots between
 * @param position of its first byte
 * @param lengthBytes its bytes as they are stored
 */
public record ColumnRange(String column, long position, long lengthBytes)
{
    public ColumnRange
    {
        requireNonNull(column, "column is null");
    }
}
