// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.config;

import static java.util.Objects.requireNonNull;

/**
 * A line that Eyrie adds to a catalog's file because the file has none for the property.
 *
 * @param reason a description of the value, or of the facts that it depends on
 */
public record AddedLine(String property, String value, Source source, String reason)
{
    /** Where the value comes from. */
    public enum Source
    {
        /** {@code cache.enabled}, which turns on layers that have properties of their own. */
        SWITCH,
        /** The machine: its disks and processors. */
        DERIVED,
    }

    public AddedLine
    {
        requireNonNull(property, "property is null");
        requireNonNull(value, "value is null");
        requireNonNull(source, "source is null");
        requireNonNull(reason, "reason is null");
    }
}
