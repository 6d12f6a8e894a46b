// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration.generator;

import io.eyrie.integration.generator.DataType.Kind;

import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** A file format that Presto's Hive connector writes, and the types that it supports. */
enum Format
{
    ORC,
    DWRF(Kind.DECIMAL, Kind.CHAR, Kind.DATE),
    PARQUET,
    RCBINARY(Kind.CHAR),
    RCTEXT(Kind.CHAR),
    SEQUENCEFILE,
    TEXTFILE,
    JSON(Kind.VARBINARY),
    AVRO(Kind.TINYINT, Kind.SMALLINT),
    CSV(Arrays.stream(Kind.values()).filter(kind -> kind != Kind.VARCHAR).toArray(Kind[]::new));

    @SuppressWarnings("ImmutableEnumChecker") // a copy
    private final List<Kind> kinds;

    Format(Kind... lacking)
    {
        Set<Kind> without = Set.of(lacking);
        kinds = Arrays.stream(Kind.values()).filter(kind -> !without.contains(kind)).toList();
    }

    List<Kind> kinds()
    {
        return kinds;
    }

    /** Returns whether Presto skips empty files instead of rejecting them. */
    boolean skipsEmptyFiles()
    {
        return this == ORC || this == TEXTFILE;
    }

    /** Returns false for Hive's JSON: its reader fails on NaN, which its writer writes. */
    boolean takesNotANumber()
    {
        return this != JSON;
    }

    boolean takesAnyMapKey()
    {
        return this != JSON && this != AVRO;
    }

    boolean takesBoundedText()
    {
        return this != CSV && this != DWRF;
    }
}
