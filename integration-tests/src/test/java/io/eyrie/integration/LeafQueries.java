package io.eyrie.integration;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Random queries over tables with the columns {@link #COLUMNS}, whose answers do not depend on the order in which rows are met. Used by one thread. */
final class LeafQueries
{
    /** All but the partition column {@code ds varchar}. */
    static final String COLUMNS = "k bigint, i integer, d date, t timestamp, c decimal(12,2), e decimal(30,4), x double, s varchar, n varchar(5), b boolean,"
            + " a array(bigint), m map(varchar, bigint), w row(p bigint, q varchar)";

    /** A row of {@link #COLUMNS} and {@code ds}, NULLs and NaN among them, from a number {@code z}. */
    static final String ROW = "if(z % 7 = 0, NULL, z), cast(z % 100 AS integer), if(z % 11 = 0, NULL, date_add('day', z % 40, DATE '2021-01-01')),"
            + " if(z % 13 = 0, NULL, date_add('minute', z * 37, TIMESTAMP '2021-03-27 00:00:00')), if(z % 5 = 0, NULL, cast(z / 4e0 AS decimal(12,2))),"
            + " cast(z * DECIMAL '1000000.0001' AS decimal(30,4)), if(z % 17 = 0, nan(), if(z % 19 = 0, NULL, z / 8e0)), if(z % 23 = 0, NULL, to_base(z, 36)),"
            + " cast(to_base(z % 1000, 36) AS varchar(5)), if(z % 3 = 0, NULL, z % 2 = 0), if(z % 29 = 0, NULL, sequence(1, z % 4 + 1)),"
            + " map(ARRAY['u', 'v'], ARRAY[z, z % 10]), cast(row(z % 50, to_base(z % 9, 3)) AS row(p bigint, q varchar)), concat('2021-0', cast(z % 4 + 1 AS varchar))";

    private final Random random;
    private final List<String> tables;
    private int keyCount;

    LeafQueries(long seed, List<String> tables)
    {
        this.random = new Random(seed);
        this.tables = List.copyOf(tables);
    }

    String next()
    {
        String table = any(tables);
        return switch (random.nextInt(8)) {
            case 0, 1, 2 -> "SELECT " + keys() + aggregates() + " FROM " + table + where() + " GROUP BY " + groups();
            case 3 -> "SELECT " + aggregates() + " FROM " + table + where();
            case 4 -> "SELECT DISTINCT " + scalar() + ", " + scalar() + " FROM " + table + where();
            case 5 -> "SELECT " + scalar() + ", " + scalar() + ", k FROM " + table + " WHERE " + selective() + and();
            case 6 -> "SELECT l.i, count(*), sum(r.c) FROM (SELECT * FROM " + table + " WHERE " + selective() + ") l JOIN (SELECT k, c FROM " + any(
                    tables) + where()
                    + ") r ON l.k = r.k GROUP BY l.i";
            default -> "SELECT i, count(*) FROM (SELECT i, k FROM " + table + where() + " UNION ALL SELECT i, k FROM " + any(tables) + where()
                    + ") WHERE k % 3 <> 1 GROUP BY i";
        };
    }

    private String keys()
    {
        keyCount = 1 + random.nextInt(2);
        return IntStream.range(0, keyCount).mapToObj(key -> scalar() + ", ").collect(Collectors.joining());
    }

    private String groups()
    {
        return IntStream.rangeClosed(1, keyCount).mapToObj(Integer::toString).collect(Collectors.joining(", "));
    }

    private String scalar()
    {
        return any("i", "d", "b", "n", "ds", "i % 7", "date_trunc('month', d)", "substr(s, 1, 1)", "w.q", "w.p % 5", "m['v']", "cardinality(a)",
                "coalesce(c, 0) > 10",
                "CASE WHEN k % 2 = 0 THEN 'even' WHEN k IS NULL THEN 'none' ELSE s END", "hour(t)",
                "cast(cast(t AS timestamp with time zone) AS date)", "upper(n)",
                "CASE WHEN is_nan(x) THEN -1 ELSE k % 10 END", "year(d) * 100 + month(d)", "try_cast(s AS bigint)");
    }

    private String aggregates()
    {
        List<String> aggregates = new ArrayList<>();
        for (int i = random.nextInt(4); i >= 0; i--) {
            aggregates.add(any("count(*)", "count(k)", "sum(k)", "sum(c)", "sum(e)", "avg(c)", "avg(i)", "min(d)", "max(t)", "max(s)", "min(n)",
                    "max(k)", "approx_distinct(s)",
                    "count(DISTINCT i)", "sum(CASE WHEN b THEN k ELSE 1 END)", "count_if(x > 10)", "bool_or(b)", "max(e)", "checksum(s)",
                    "sum(k) FILTER (WHERE i > 50)",
                    "avg(cast(k AS double))", "stddev(cast(i AS double))", "min(w.p)", "sum(m['v'])", "max(cardinality(a))",
                    "array_sort(array_agg(DISTINCT i))"));
        }
        return String.join(", ", aggregates);
    }

    private String where()
    {
        return random.nextInt(4) == 0 ? "" : " WHERE " + predicate() + and();
    }

    private String and()
    {
        return random.nextBoolean() ? "" : " AND " + predicate();
    }

    private String selective()
    {
        return any("k BETWEEN " + number() + " AND " + number() + " + 40", "i = " + random.nextInt(100), "s IN ('a', 'b1', 'zz', '1k')", "d = "
                + date());
    }

    private String predicate()
    {
        return switch (random.nextInt(6)) {
            case 0 -> "(" + comparison() + " OR " + comparison() + ")";
            case 1 -> "NOT (" + comparison() + ")";
            default -> comparison();
        };
    }

    private String comparison()
    {
        String operator = any("<", "<=", ">", ">=", "=", "<>");
        List<Supplier<String>> kinds = List.of(
                () -> "k " + operator + " " + number(),
                () -> "d " + operator + " " + date(),
                () -> "d BETWEEN " + date() + " AND " + date(),
                () -> "k BETWEEN -5 AND " + number() * 4,
                () -> "c " + operator + " DECIMAL '" + number() + ".25'",
                () -> "x " + operator + " " + number() + "e0",
                () -> "s " + operator + " '" + Integer.toString(number(), 36) + "'",
                () -> "n " + operator + " '" + Integer.toString(number() % 1000, 36) + "'",
                () -> "ds " + operator + " '2021-0" + (1 + random.nextInt(4)) + "'",
                () -> "t " + operator + " TIMESTAMP '2021-03-28 0" + random.nextInt(10) + ":30:00'",
                // no row is near: whichever query comes later asks for the same rows
                () -> any("t", "d") + " " + operator + " now() - INTERVAL '" + any("0", "1", "9999") + "' DAY",
                () -> any("k", "d", "s", "x", "b", "a") + any(" IS NULL", " IS NOT NULL"),
                () -> "s LIKE '%" + any("a", "1", "z", "0") + "%'",
                () -> "i IN (" + random.nextInt(100) + ", " + random.nextInt(100) + ", " + random.nextInt(100) + ")",
                () -> "k IS DISTINCT FROM " + number(),
                () -> "k % 100 + i " + operator + " " + random.nextInt(200),
                () -> "w.p " + operator + " " + random.nextInt(50),
                () -> "contains(a, 3)",
                () -> "b");
        return kinds.get(random.nextInt(kinds.size())).get();
    }

    private int number()
    {
        return random.nextInt(3000);
    }

    private String date()
    {
        return "date_add('day', " + (random.nextInt(60) - 10) + ", DATE '2021-01-01')";
    }

    private String any(String... choices)
    {
        return any(List.of(choices));
    }

    private String any(List<String> choices)
    {
        return choices.get(random.nextInt(choices.size()));
    }
}
