// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration.generator;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Random;

/**
 * Creates SQL formulas of values from a row's number. Floating-point values are NaN, infinities, zeros of both signs and multiples of an eighth, so
 * that their sums are exact in every order. Dates and moments surround the start of the run; a moment is half a day away from any
 * {@code now() - INTERVAL 'n' DAY} during the run. Not thread-safe.
 */
final class Values
{
    @SuppressWarnings("TimeInStaticInitializer") // the start of the run
    private static final LocalDateTime NOON = LocalDateTime.ofInstant(Instant.now(), ZoneOffset.UTC).truncatedTo(ChronoUnit.HOURS).plusHours(12);
    private static final DateTimeFormatter SECONDS = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);

    private final Random random;
    private final boolean notANumber;

    Values(Random random, boolean notANumber)
    {
        this.random = random;
        this.notANumber = notANumber;
    }

    static String today()
    {
        return "DATE '" + NOON.toLocalDate() + "'";
    }

    private static String noon()
    {
        return "TIMESTAMP '" + NOON.format(SECONDS) + "'";
    }

    /** Returns a formula with no, some, mostly or only NULLs. */
    String column(String z, DataType type)
    {
        int share = random.nextInt(16);
        String value = value(z, type);
        if (share < 4) {
            return value;
        }
        if (share == 15) {
            return "cast(NULL AS " + type.sql() + ")";
        }
        return "if(" + hash(z, random.nextInt(5) + 2) + " = 0, NULL, " + value + ")";
    }

    String value(String z, DataType type)
    {
        return switch (type.kind()) {
            case BOOLEAN -> "(" + hash(z, 3) + " = 1)";
            case TINYINT -> "cast(" + hash(z, 256) + " - 128 AS tinyint)";
            case SMALLINT -> extremes(z, "32767", "-32768", type);
            case INTEGER -> extremes(z, "2147483647", "-2147483648", type);
            case BIGINT -> extremes(z, "9223372036854775807", "-9223372036854775807 - 1", type);
            case REAL, DOUBLE -> floatingPoint(z, type);
            case DECIMAL -> "cast((" + hash(z, 2000) + " - 1000) / 8e0 AS " + type.sql() + ")";
            case VARCHAR -> "cast(CASE " + hash(z, 11)
                    + " WHEN 0 THEN '' WHEN 1 THEN 'ü–ö' WHEN 2 THEN 'a%_b' WHEN 3 THEN ' x ' WHEN 4 THEN 'q\"y,z' ELSE to_base("
                    + hash(z, 300) + ", 36) END AS " + type.sql() + ")";
            case CHAR -> "cast(to_base(" + hash(z, 300) + ", 36) AS " + type.sql() + ")";
            case VARBINARY -> "CASE " + hash(z, 7) + " WHEN 0 THEN from_hex('00FF0A01') WHEN 1 THEN from_hex('') ELSE to_utf8(to_base(" + hash(z, 300)
                    + ", 36)) END";
            case DATE -> "CASE " + hash(z, 13) + " WHEN 0 THEN DATE '1969-12-31' WHEN 1 THEN DATE '2400-02-29' ELSE date_add('day', " + hash(z, 60)
                    + " - 55, " + today() + ") END";
            case TIMESTAMP -> "CASE " + hash(z, 13)
                    + " WHEN 0 THEN TIMESTAMP '1969-12-31 23:59:59.999' WHEN 1 THEN TIMESTAMP '2021-03-28 02:30:00' ELSE date_add('day', "
                    + hash(z, 60) + " - 55, " + noon() + ") END";
            case ARRAY -> "CASE " + hash(z, 5) + " WHEN 0 THEN cast(ARRAY[] AS " + type.sql() + ") WHEN 1 THEN cast(ARRAY[NULL] AS " + type.sql()
                    + ") ELSE cast(ARRAY["
                    + column(z, type.parts().get(0)) + ", " + value(z, type.parts().get(0)) + "] AS " + type.sql() + ") END";
            case MAP -> map(z, type);
            case ROW -> "cast(ROW(" + column(z, type.parts().get(0)) + ", " + column(z, type.parts().get(1)) + ") AS " + type.sql() + ")";
        };
    }

    private String map(String z, DataType type)
    {
        String keys = type.parts().get(0).kind() == DataType.Kind.VARCHAR ? "'k1', 'k2'" : "1, 2";
        return "CASE " + hash(z, 5) + " WHEN 0 THEN cast(map() AS " + type.sql() + ") ELSE cast(map(ARRAY[" + keys + "], ARRAY["
                + column(z, type.parts().get(1)) + ", " + value(z, type.parts().get(1)) + "]) AS " + type.sql() + ") END";
    }

    private String extremes(String z, String most, String least, DataType type)
    {
        return "cast(CASE " + hash(z, 17) + " WHEN 0 THEN " + most + " WHEN 1 THEN " + least + " ELSE " + hash(z, 100) + " - 50 END AS " + type.sql()
                + ")";
    }

    private String floatingPoint(String z, DataType type)
    {
        String odd = notANumber ? " WHEN 0 THEN nan() WHEN 1 THEN infinity() WHEN 2 THEN -infinity()" : "";
        return "cast(CASE " + hash(z, 13) + odd + " WHEN 3 THEN -0e0 WHEN 4 THEN 0e0 ELSE (" + hash(z, 80) + " - 40) / 8e0 END AS " + type.sql()
                + ")";
    }

    /** Returns a number from 0 to below {@code values}, which depends on the row. */
    String hash(String z, int values)
    {
        return "((" + z + " * " + (2 * random.nextInt(50) + 1) + " + " + random.nextInt(1000) + ") % " + values + ")";
    }
}
