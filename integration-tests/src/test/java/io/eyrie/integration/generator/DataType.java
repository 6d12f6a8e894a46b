// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration.generator;

import java.util.List;
import java.util.Locale;
import java.util.Random;

import static java.util.Objects.requireNonNull;

/**
 * The type of a column.
 *
 * @param sql as in CREATE TABLE and CAST
 * @param parts the element of an array, the key and the value of a map, the fields of a row
 */
record DataType(Kind kind, String sql, List<DataType> parts)
{
    enum Kind
    {
        BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT, REAL, DOUBLE, DECIMAL, VARCHAR, CHAR, VARBINARY, DATE, TIMESTAMP, ARRAY, MAP, ROW;

        boolean isNested()
        {
            return this == ARRAY || this == MAP || this == ROW;
        }

        boolean isInteger()
        {
            return this == TINYINT || this == SMALLINT || this == INTEGER || this == BIGINT;
        }

        boolean isFloatingPoint()
        {
            return this == REAL || this == DOUBLE;
        }
    }

    DataType
    {
        requireNonNull(kind, "kind is null");
        requireNonNull(sql, "sql is null");
        parts = List.copyOf(parts);
    }

    static DataType of(Kind kind, String sql)
    {
        return new DataType(kind, sql, List.of());
    }

    /** Returns a type of this kind that the format supports, with up to {@code levels} further levels of nesting. */
    static DataType random(Random random, Format format, Kind kind, int levels)
    {
        return switch (kind) {
            case ARRAY -> {
                DataType element = random(random, format, partKind(random, format, levels), levels - 1);
                yield new DataType(kind, "array(" + element.sql + ")", List.of(element));
            }
            case MAP -> {
                DataType key = of(Kind.VARCHAR, "varchar");
                if (format.takesAnyMapKey() && random.nextBoolean()) {
                    key = of(Kind.BIGINT, "bigint");
                }
                DataType value = random(random, format, partKind(random, format, levels), levels - 1);
                yield new DataType(kind, "map(" + key.sql + ", " + value.sql + ")", List.of(key, value));
            }
            case ROW -> {
                DataType first = random(random, format, partKind(random, format, levels), levels - 1);
                DataType second = random(random, format, partKind(random, format, 0), 0);
                yield new DataType(kind, "row(f0 " + first.sql + ", f1 " + second.sql + ")", List.of(first, second));
            }
            case VARCHAR -> of(kind, format.takesBoundedText() && random.nextInt(3) == 0 ? "varchar(7)" : "varchar");
            case CHAR -> of(kind, "char(5)");
            case DECIMAL -> of(kind, List.of("decimal(9,2)", "decimal(18,3)", "decimal(30,4)", "decimal(38,10)").get(random.nextInt(4)));
            default -> of(kind, kind.name().toLowerCase(Locale.ROOT));
        };
    }

    private static Kind partKind(Random random, Format format, int levels)
    {
        List<Kind> kinds = format.kinds().stream().filter(kind -> levels > 0 || !kind.isNested()).toList();
        return kinds.get(random.nextInt(kinds.size()));
    }
}
