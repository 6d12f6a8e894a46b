// SPDX-License-Identifier: Apache-2.0
package io.eyrie.footer;

import static java.util.Objects.requireNonNull;

/**
 * The position of a column chunk in a file: all data of the column in a row group.
 *
 * @param column its path in the schema, separated by dots
 * @param position of its first byte
 * @param lengthBytes its stored length
 */
public record ColumnRange(String column, long position, long lengthBytes)
{
    public ColumnRange
    {
        requireNonNull(column, "column is null");
    }
}
