// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration.generator;

import static java.util.Objects.requireNonNull;

/** A column of a table, and the SQL of its value in row {@code z}. */
record Column(String name, DataType type, String formula)
{
    Column
    {
        requireNonNull(name, "name is null");
        requireNonNull(type, "type is null");
        requireNonNull(formula, "formula is null");
    }

    String definition()
    {
        return name + " " + type.sql();
    }
}
