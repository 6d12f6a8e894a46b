// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration.generator;

import io.eyrie.integration.generator.RandomQuery.Facts;
import io.eyrie.integration.generator.RandomQuery.RowComparison;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static io.eyrie.integration.generator.RandomQuery.CONDITION;
import static io.eyrie.integration.generator.RandomQuery.ITEMS;
import static io.eyrie.integration.generator.RandomQuery.WHERE;

/** Creates random queries over tables; each shape, session and table has its turn. Not thread-safe. */
final class Queries
{
    private static final int LONG_IN = 12_000;
    private static final int KEYS = 17;

    private final Random random;
    private final Deck<Shape> shapes;
    private final Deck<Map<String, String>> sessions;
    private final Deck<Table> tables;
    private boolean longInAsked;

    Queries(Random random, List<Shape> shapes, List<Table> tables)
    {
        this.random = random;
        this.shapes = new Deck<>(shapes, random);
        this.sessions = new Deck<>(Sessions.ALL, random);
        this.tables = new Deck<>(tables, random);
    }

    RandomQuery next()
    {
        Shape shape = shapes.next();
        Table table = shape == Shape.PUSHED_FILTER ? tables.next(candidate -> candidate.format() == Format.ORC) : tables.next();
        Draft draft = new Draft(shape, table, Expressions.of(random).with(table, ""));
        RandomQuery query = switch (shape) {
            case INNER_JOIN, OUTER_JOIN, GROUPED_JOIN, DYNAMIC_FILTER -> join(draft);
            case SEMI_JOIN, EXISTS, SCALAR_SUBQUERY -> subquery(draft);
            case STAR_JOIN, SNOWFLAKE_JOIN -> star(draft);
            case DRILL_DOWN -> drillDown(draft);
            case UNION, SET_OPERATION, COMMON_TABLE, UNNEST, NESTED_CASES -> composed(draft);
            case AGGREGATE, GROUP_BY, HAVING, DISTINCT, DISTINCT_AGGREGATE, FILTERED_AGGREGATE, ORDERED_ARRAY, FIXED_KEY, GROUPING_SETS ->
                aggregation(draft);
            case TLP_ROWS, TLP_AGGREGATE, NOREC, SAMPLE -> rewritten(draft);
            default -> scan(draft);
        };
        return random.nextInt(5) < 2 ? query.withSession(both(query.session(), sessions.next())) : query;
    }

    private static Map<String, String> both(Map<String, String> own, Map<String, String> dealt)
    {
        Map<String, String> both = new TreeMap<>(dealt);
        both.putAll(own);
        return both;
    }

    /** A query under construction. */
    private final class Draft
    {
        private final Shape shape;
        private final List<Table> asked = new ArrayList<>();
        private final Expressions expressions;
        private final List<String> conjuncts = new ArrayList<>();
        private final Map<String, String> session = new TreeMap<>();
        private List<String> items = List.of();
        private String equivalent = "";
        private List<String> coarser = List.of();

        private Draft(Shape shape, Table table, Expressions expressions)
        {
            this.shape = shape;
            this.asked.add(table);
            this.expressions = expressions;
            for (int i = random.nextInt(3); i > 0; i--) {
                conjuncts.add(expressions.bool(2));
            }
        }

        private String from()
        {
            return asked.get(0).name();
        }

        private Table another()
        {
            Table other = tables.next();
            asked.add(other);
            return other;
        }

        private Draft items(int most, Supplier<String> item)
        {
            items = IntStream.rangeClosed(0, random.nextInt(most)).mapToObj(i -> item.get()).toList();
            return this;
        }

        private RandomQuery as(RowComparison compared, String template)
        {
            if (shape == Shape.STAR) {
                asked.get(0).allColumns().forEach(column -> expressions.kinds().add(column.type().kind()));
            }
            return new RandomQuery(shape, template, items, conjuncts, equivalent, coarser, session, compared, new Facts(asked, expressions.kinds(),
                    expressions
                            .features()));
        }
    }

    private RandomQuery scan(Draft draft)
    {
        Expressions e = draft.expressions;
        String from = " FROM " + draft.from() + WHERE;
        return switch (draft.shape) {
            case STAR -> draft.as(RowComparison.ROWS, "SELECT *" + from);
            case COUNT -> draft.as(RowComparison.ROWS, "SELECT count(*)" + from);
            case WINDOW -> draft.items(3, () -> window(e)).as(RowComparison.ROWS_WITHOUT_SIGN_OF_ZERO, "SELECT id, " + ITEMS + from);
            case TOP_N -> draft.items(3, () -> e.item(2)).as(RowComparison.ORDERED_ROWS, "SELECT id, " + ITEMS + from + " ORDER BY if(true, " + e
                    .scalar(1)
                    + ")"
                    + e.any("", " DESC", " NULLS FIRST", " DESC NULLS LAST") + ", id" + e.any("", " DESC") + " LIMIT " + random.nextInt(30));
            case LIMIT -> draft.items(3, () -> e.item(1)).as(RowComparison.ROWS, "SELECT count(*) FROM (SELECT " + named(draft, "i") + from
                    + " LIMIT "
                    + random.nextInt(90) + ")");
            case HIDDEN_COLUMNS -> draft.as(RowComparison.ROWS, "SELECT id, \"$path\", \"$file_size\", \"$file_modified_time\"" + (draft.asked.get(0)
                    .isBucketed() ? ", \"$bucket\"" : "")
                    + from);
            case PARTITIONS -> partitions(draft);
            case TIME_WINDOW -> {
                draft.conjuncts.add(e.upToNow());
                yield draft.items(3, e::aggregate).as(RowComparison.ROWS_WITHOUT_SIGN_OF_ZERO, "SELECT " + ITEMS + from);
            }
            case LONG_IN -> longIn(draft);
            case LAMBDA, RANDOM, UDF -> {
                draft.conjuncts.add(refused(draft.shape, e));
                yield draft.items(3, () -> "sum(" + e.number(1) + ")").as(RowComparison.ROWS, "SELECT count(*), " + ITEMS + from);
            }
            case PUSHED_FILTER -> {
                draft.session.put(".pushdown_filter_enabled", "true");
                yield draft.items(3, () -> e.item(1)).as(RowComparison.ROWS, "SELECT id, " + ITEMS + from);
            }
            case FAILING -> {
                draft.items = List.of(e.failing());
                yield draft.as(RowComparison.ROWS, "SELECT id, " + ITEMS + from);
            }
            default -> draft.items(4, () -> e.item(2)).as(RowComparison.ROWS, "SELECT " + ITEMS + from);
        };
    }

    private String refused(Shape shape, Expressions e)
    {
        return switch (shape) {
            case LAMBDA -> e.lambda();
            case RANDOM -> e.always();
            default -> e.ofPlugin();
        };
    }

    private RandomQuery longIn(Draft draft)
    {
        // once at full length, which a leaf fragment may not have; such a query takes long
        boolean isShort = longInAsked && random.nextInt(20) > 0;
        longInAsked = true;
        Expressions e = draft.expressions;
        if (isShort) {
            draft.conjuncts.add(e.number(0) + in(300));
            return draft.items(3, () -> "sum(" + e.number(1) + ")").as(RowComparison.ROWS, "SELECT count(*), " + ITEMS + " FROM " + draft.from()
                    + WHERE);
        }
        // without other conjuncts: the engine drops the list next to a condition that never holds, and for a constant operand
        draft.conjuncts.clear();
        draft.conjuncts.add("(cast(id AS bigint) % 1000)" + in(LONG_IN));
        return draft.as(RowComparison.ROWS, "SELECT count(*) FROM " + draft.from() + WHERE);
    }

    private static String in(int values)
    {
        return IntStream.range(0, values).mapToObj(Integer::toString).collect(Collectors.joining(", ", " IN (", ")"));
    }

    private RandomQuery partitions(Draft draft)
    {
        Table table = draft.asked.get(0);
        if (!table.isPartitioned()) {
            return draft.items(2, () -> "count(" + draft.expressions.column() + ")").as(RowComparison.ROWS, "SELECT " + ITEMS + " FROM " + draft
                    .from()
                    + WHERE);
        }
        if (random.nextInt(4) == 0) {
            String name = draft.from().replace(".", ".\"") + "$partitions\"";
            draft.conjuncts.clear();
            return draft.as(RowComparison.ROWS, "SELECT * FROM " + name);
        }
        String column = table.partitions().get(0).name();
        draft.expressions.features().add(Feature.PARTITION_COLUMN);
        return draft.as(RowComparison.ROWS, draft.expressions.any("SELECT DISTINCT " + column, "SELECT min(" + column + "), max(" + column
                + "), count(DISTINCT " + column + ")") + " FROM "
                + draft.from() + WHERE);
    }

    private String window(Expressions e)
    {
        String over = " OVER (PARTITION BY " + e.scalar(1) + " ORDER BY id" + e.any("", " DESC");
        return switch (random.nextInt(5)) {
            case 0 -> e.any("row_number()", "rank()", "ntile(3)", "cume_dist()") + over + ")";
            case 1 -> e.any("lag", "lead", "first_value", "last_value") + "(" + e.item(1) + ")" + over + ")";
            case 2 -> "sum(" + e.number(1) + ")" + over + " ROWS BETWEEN " + random.nextInt(3) + " PRECEDING AND " + e.any("CURRENT ROW",
                    "1 FOLLOWING") + ")";
            case 3 -> "count(*) OVER (PARTITION BY " + e.scalar(1) + ")";
            default -> "max(" + e.text(1) + ")" + over + ")";
        };
    }

    private RandomQuery aggregation(Draft draft)
    {
        Expressions e = draft.expressions;
        String from = " FROM " + draft.from() + WHERE;
        String keys = draft.shape == Shape.FIXED_KEY ? "" : e.scalar(1) + (random.nextBoolean() ? ", " + e.scalar(1) : ", 1");
        return switch (draft.shape) {
            case AGGREGATE -> draft.items(4, e::aggregate).as(RowComparison.ROWS_WITHOUT_SIGN_OF_ZERO, "SELECT " + ITEMS + from);
            case HAVING -> draft.items(2, e::aggregate).as(RowComparison.ROWS_WITHOUT_SIGN_OF_ZERO, "SELECT " + keys + ", " + ITEMS + from
                    + " GROUP BY 1, 2 HAVING count(*) > "
                    + random.nextInt(5));
            case DISTINCT -> draft.items(2, () -> e.item(1)).as(RowComparison.ROWS_WITHOUT_SIGN_OF_ZERO, "SELECT DISTINCT " + ITEMS + from);
            case DISTINCT_AGGREGATE -> draft.items(3, () -> e.any("count", "sum", "max") + "(DISTINCT " + e.number(1) + ")").as(
                    RowComparison.ROWS_WITHOUT_SIGN_OF_ZERO, "SELECT " + keys
                            + ", " + ITEMS + from + " GROUP BY 1, 2");
            case FILTERED_AGGREGATE -> draft.items(3, () -> "sum(" + e.number(1) + ") FILTER (WHERE " + e.bool(1) + ")").as(
                    RowComparison.ROWS_WITHOUT_SIGN_OF_ZERO, "SELECT " + keys + ", "
                            + ITEMS + from + " GROUP BY 1, 2");
            case ORDERED_ARRAY -> draft.items(2, () -> "array_agg(" + e.item(1) + " ORDER BY id)").as(RowComparison.ROWS_WITHOUT_SIGN_OF_ZERO,
                    "SELECT "
                            + keys + ", " + ITEMS + from
                            + " GROUP BY 1, 2");
            case FIXED_KEY -> {
                String key = e.column(type -> type.kind().isInteger()).orElse("label");
                String value = key.equals("label") || (key.equals("id") && draft.asked.get(0).format() == Format.CSV) ? "'mark1'" : e.literal();
                draft.conjuncts.add(key + e.any(" = " + value, " IN (" + value + ")"));
                yield draft.items(2, () -> e.any("array_agg(id ORDER BY id)", "count(DISTINCT id)", "count(*)")).as(
                        RowComparison.ROWS_WITHOUT_SIGN_OF_ZERO, "SELECT " + key + ", " + ITEMS
                                + from + " GROUP BY " + key);
            }
            case GROUPING_SETS -> draft.items(2, e::aggregate).as(RowComparison.ROWS_WITHOUT_SIGN_OF_ZERO, "SELECT k0, k1, " + ITEMS
                    + " FROM (SELECT *, "
                    + e.scalar(1) + " k0, " + e.scalar(1)
                    + " k1 FROM " + draft.from() + ")" + WHERE + " GROUP BY " + e.any("GROUPING SETS ((k0), (k1), ())", "ROLLUP (k0, k1)",
                            "CUBE (k0, k1)"));
            default -> draft.items(3, e::aggregate).as(RowComparison.ROWS_WITHOUT_SIGN_OF_ZERO, "SELECT " + keys + ", " + ITEMS + from
                    + " GROUP BY 1, 2");
        };
    }

    /* Groups by three keys, then queries with some of them, with conditions on them, or with a key that is computed from one. */
    private RandomQuery drillDown(Draft draft)
    {
        Expressions e = draft.expressions;
        String condition = " WHERE " + e.any("k0 > 0", "k0 = 3", "k0 IS NULL", "k0 % 3 = 1", "k1 IS NOT NULL", "k0 < 5 OR k1 IS NULL", "k2 IS NULL");
        // named, so that all queries have the same expressions
        String rows = " FROM (SELECT *, " + e.number(random.nextInt(2)) + " k0, " + e.any(e.text(1), e.column()) + " k1, " + e.scalar(1) + " k2 FROM "
                + draft.from() + WHERE + ")";
        draft.items(4, () -> random.nextInt(4) == 0
                ? e.aggregate()
                : e.any("count(*)", "count(" + e.column() + ")", "sum(" + e.number(1) + ")", "sum(" + e.decimal(1) + ")", "avg(" + e.decimal(0) + ")",
                        "min(" + e.text(1) + ")", "max(" + e.date(1) + ")", "bool_or(" + e.bool(1) + ")"));
        draft.coarser = List.of(
                "SELECT k0, " + ITEMS + rows + " GROUP BY 1",
                "SELECT k2, k1, " + ITEMS + rows + " GROUP BY 1, 2",
                "SELECT k1, " + ITEMS + rows + condition + " GROUP BY 1",
                "SELECT " + ITEMS + rows + condition,
                "SELECT k0 % 7, k1, " + ITEMS + rows + " WHERE k0 > -100 GROUP BY 1, 2");
        return draft.as(RowComparison.ROWS_WITHOUT_SIGN_OF_ZERO, "SELECT k0, k1, k2, " + ITEMS + rows + " GROUP BY 1, 2, 3");
    }

    private RandomQuery join(Draft draft)
    {
        Table left = draft.asked.get(0);
        Table right = random.nextInt(4) == 0 ? left : draft.another();
        draft.conjuncts.clear();
        Expressions l = draft.expressions.over(left, "l.");
        Expressions r = draft.expressions.over(right, "r.");
        Expressions both = draft.expressions.over(left, "l.").with(right, "r.");
        String type = draft.shape == Shape.OUTER_JOIN ? l.any(" LEFT JOIN ", " RIGHT JOIN ", " FULL JOIN ") : " JOIN ";
        String on = left.format() == Format.CSV || right.format() == Format.CSV || random.nextInt(4) == 0
                ? "cast(l.id AS varchar) = cast(r.id AS varchar)"
                : "l.id = r.id";
        if (draft.shape == Shape.DYNAMIC_FILTER) {
            draft.session.put("enable_dynamic_filtering", "true");
            draft.session.put("join_distribution_type", "BROADCAST");
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            draft.conjuncts.add(random.nextInt(3) == 0 ? both.bool(1) : random.nextBoolean() ? l.bool(1) : r.bool(1));
        }
        String from = " FROM " + left.name() + " l" + type + right.name() + " r ON " + on + (!type.contains("FULL") && random.nextInt(4) == 0
                ? " AND " + both.bool(0)
                : "") + WHERE;
        return draft.shape == Shape.GROUPED_JOIN
                ? draft.items(3, both::aggregate).as(RowComparison.ROWS_WITHOUT_SIGN_OF_ZERO, "SELECT " + both.scalar(1) + ", " + ITEMS + from
                        + " GROUP BY 1")
                : draft.items(4, () -> both.item(1)).as(RowComparison.ROWS, "SELECT " + ITEMS + from);
    }

    /* A table and one to three small ones, below an aggregation. Keys of all types have NULL, NaN and duplicates. */
    private RandomQuery star(Draft draft)
    {
        Table fact = draft.asked.get(0);
        draft.conjuncts.clear();
        Expressions f = draft.expressions.over(fact, "f.");
        int existing = random.nextInt(KEYS);
        // a column, because the engine does not plan correlated expressions
        String from = "(SELECT *, " + key(draft.expressions.over(fact, "x."), existing) + " e FROM " + fact.name() + " x) f";
        List<String> values = new ArrayList<>();
        int joins = 1 + random.nextInt(draft.shape == Shape.STAR_JOIN ? 3 : 2);
        for (int i = 0; i < joins; i++) {
            String alias = "d" + i;
            int key = random.nextInt(KEYS);
            if (random.nextInt(4) == 0) {
                String found = random.nextBoolean()
                        ? key(f, key) + f.any(" IN ", " NOT IN ") + "(SELECT k FROM " + dimension(draft, key) + ")"
                        : f.any("", "NOT ") + "EXISTS (SELECT 1 FROM " + dimension(draft, existing) + " " + alias + " WHERE f.e = " + alias + ".k)";
                draft.conjuncts.add(random.nextInt(3) == 0 ? "(" + found + " OR " + f.bool(1) + ")" : found);
                continue;
            }
            String dimension = dimension(draft, key);
            String on = " ON " + key(f, key) + " = " + alias + ".k" + (random.nextInt(3) == 0 ? " AND " + alias + ".v < " + f.number(1) : "");
            from = switch (random.nextInt(9)) {
                case 0, 1, 2 -> from + " LEFT JOIN " + dimension + " " + alias + on;
                // other joins may be on the left side, too
                case 3, 4 -> dimension + " " + alias + " RIGHT JOIN (" + from + ")" + on;
                case 5 -> from + " FULL JOIN " + dimension + " " + alias + " ON " + key(f, key) + " = " + alias + ".k";
                case 6 -> from + " CROSS JOIN (SELECT count(*) k, max(v) v, min(t) t FROM " + dimension + ") " + alias;
                default -> from + " JOIN " + dimension + " " + alias + on;
            };
            values.addAll(List.of("count(" + alias + ".k)", "sum(" + alias + ".v)", "max(" + alias + ".t)", "min(" + alias + ".v)"));
            if (random.nextInt(5) == 0) {
                values.add("count(DISTINCT " + alias + ".v)");
            }
            if (random.nextInt(3) == 0) {
                draft.conjuncts.add(alias + f.any(".v > 3", ".t IS NULL", ".k IS NOT NULL"));
            }
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            draft.conjuncts.add(f.bool(1));
        }
        draft.items(4, () -> values.isEmpty() || random.nextInt(3) == 0 ? f.aggregate() : values.get(random.nextInt(values.size())));
        String grouped = random.nextInt(4) == 0 ? "" : f.scalar(1);
        return draft.as(
                RowComparison.ROWS_WITHOUT_SIGN_OF_ZERO,
                "SELECT " + (grouped.isEmpty() ? "" : grouped + ", ") + ITEMS + " FROM " + from + WHERE + (grouped.isEmpty() ? "" : " GROUP BY 1"));
    }

    /* Some rows of a table, possibly joined with another or grouped, with a key, a number and a text. */
    private String dimension(Draft draft, int key)
    {
        Table table = random.nextInt(4) == 0 ? draft.asked.get(0) : draft.another();
        Expressions s = draft.expressions.over(table, "s.");
        String from = table.name() + " s";
        Expressions values = s;
        if (draft.shape == Shape.SNOWFLAKE_JOIN) {
            Table further = draft.another();
            Expressions e = draft.expressions.over(further, "e.");
            int inner = random.nextInt(KEYS);
            from += s.any(" JOIN ", " JOIN ", " LEFT JOIN ") + "(SELECT * FROM " + further.name() + " WHERE cast(id AS bigint) % 11 = 2) e ON "
                    + key(s, inner) + " = " + key(e, inner);
            values = random.nextBoolean() ? e : s;
        }
        // few rows: each may match each row of the others
        String where = " WHERE cast(s.id AS bigint) % 5 = " + random.nextInt(3) + (random.nextInt(3) == 0 ? " AND " + s.bool(1) : "");
        if (random.nextInt(6) == 0) {
            return "(SELECT k, 7 v, 'x' t FROM (SELECT DISTINCT " + key(s, key) + " k FROM " + from + where + "))";
        }
        return random.nextInt(3) == 0
                ? "(SELECT " + key(s, key) + " k, " + s.any("sum", "max", "count") + "(" + values.number(1) + ") v, max(" + values.text(1)
                        + ") t FROM "
                        + from + where + " GROUP BY 1)"
                : "(SELECT " + key(s, key) + " k, " + values.number(1) + " v, " + values.text(1) + " t FROM " + from + where + ")";
    }

    /* Both sides of a join have a key of the same number, and so of types that can be compared. */
    private static String key(Expressions e, int number)
    {
        return switch (number) {
            case 0 -> e.any("cast(" + e.number(0) + " AS integer)", e.number(0));
            case 1 -> e.exactFraction();
            case 2 -> "cast(" + e.exactFraction() + " AS real)";
            case 3 -> "cast(" + e.decimal(0) + " AS decimal(15,2))";
            case 4 -> "cast(" + e.decimal(0) + " AS decimal(38,4))";
            case 5 -> e.text(1);
            case 6 -> "cast(" + e.text(0) + " AS char(5))";
            case 7 -> "to_utf8(" + e.text(0) + ")";
            case 8 -> e.date(0);
            case 9 -> "cast(" + e.date(0) + " AS timestamp)";
            case 10 -> "(" + e.bool(0) + ")";
            // the engine does not compare nested NULLs
            case 11 -> "ARRAY[coalesce(" + e.number(0) + ", 0)]";
            case 12 -> "ROW(coalesce(" + e.number(0) + ", 0), coalesce(" + e.text(0) + ", ''))";
            case 13 -> "cast(" + e.number(0) + " % 100 AS tinyint)";
            case 14 -> e.unchanged("label");
            case 15 -> "cast(" + e.unchanged("id") + " AS bigint)";
            default -> e.number(1);
        };
    }

    private RandomQuery subquery(Draft draft)
    {
        Table other = draft.another();
        Expressions e = draft.expressions;
        Expressions inner = e.over(other, "o.");
        String from = draft.from() + " t";
        String not = e.any("", "NOT ");
        draft.conjuncts.add(switch (draft.shape) {
            case SEMI_JOIN -> "cast(t.id AS varchar) " + not + "IN (SELECT cast(o.id AS varchar) FROM " + other.name() + " o WHERE " + inner.bool(1)
                    + ")";
            case EXISTS -> not + "EXISTS (SELECT 1 FROM " + other.name() + " o WHERE cast(o.id AS varchar) = cast(t.id AS varchar) AND " + inner.bool(
                    1) + ")";
            default -> e.number(1) + e.any(" > ", " <= ") + "(SELECT " + e.any("max", "min", "count") + "(" + inner.number(1) + ") FROM " + other
                    .name() + " o WHERE " + inner.bool(1)
                    + ")";
        });
        return random.nextBoolean()
                ? draft.items(3, () -> e.item(1)).as(RowComparison.ROWS, "SELECT " + ITEMS + " FROM " + from + WHERE)
                : draft.items(3, e::aggregate).as(RowComparison.ROWS_WITHOUT_SIGN_OF_ZERO, "SELECT " + ITEMS + " FROM " + from + WHERE);
    }

    private RandomQuery composed(Draft draft)
    {
        Expressions e = draft.expressions;
        return switch (draft.shape) {
            case UNION, SET_OPERATION -> {
                Table other = draft.another();
                Expressions o = e.over(other, "");
                String operation = draft.shape == Shape.UNION ? e.any(" UNION ALL ", " UNION ") : e.any(" INTERSECT ", " EXCEPT ");
                String all = "SELECT " + e.number(2) + " a, " + e.text(1) + " b FROM " + draft.from() + WHERE + operation + "SELECT " + o.number(2)
                        + ", " + o.text(1) + " FROM "
                        + other.name() + " WHERE " + o.bool(1);
                yield draft.as(RowComparison.ROWS, random.nextBoolean() ? all : "SELECT a % 7, count(*), max(b) FROM (" + all + ") GROUP BY 1");
            }
            case COMMON_TABLE -> draft.as(RowComparison.ROWS, "WITH c AS (SELECT id, " + e.number(2) + " a, " + e.text(1) + " b FROM " + draft.from()
                    + WHERE
                    + ") SELECT x.a, y.b, x.id FROM c x JOIN c y ON x.id = y.id WHERE x.a > " + e.literal() + " OR y.b < 'm'");
            case UNNEST -> {
                String array = e.column(type -> type.kind() == DataType.Kind.ARRAY).orElseGet(() -> "ARRAY[" + e.number(1) + ", " + e.number(0)
                        + "]");
                yield draft.as(RowComparison.ROWS, "SELECT id, o, u FROM (SELECT id, " + array + " a FROM " + draft.from() + WHERE
                        + ") CROSS JOIN UNNEST(a) WITH ORDINALITY AS n(u, o)");
            }
            default -> {
                String nested = "SELECT id, " + e.number(1) + " x FROM " + draft.from() + WHERE;
                for (int i = random.nextInt(4); i >= 0; i--) {
                    nested = "SELECT id, CASE WHEN x < " + e.literal()
                            + " THEN x + 1 WHEN x % 3 = 1 THEN x * 2 % 500 WHEN x IS NULL THEN -1 ELSE x - id_length END x FROM (SELECT *,"
                            + " length(cast(id AS varchar)) id_length FROM (" + nested + "))";
                }
                e.features().add(Feature.CASE);
                yield draft.as(RowComparison.ROWS, random.nextBoolean() ? nested : "SELECT x, count(*), sum(x) FROM (" + nested + ") GROUP BY x");
            }
        };
    }

    /* The rewritings of SQLancer: a condition is true, false or unknown; and a condition counts the rows that it selects. */
    private RandomQuery rewritten(Draft draft)
    {
        Expressions e = draft.expressions;
        String from = " FROM " + draft.from();
        if (draft.shape == Shape.NOREC) {
            draft.conjuncts.add(e.bool(2));
            draft.equivalent = "SELECT count_if(" + CONDITION + ")" + from;
            return draft.as(RowComparison.ROWS, "SELECT count(*)" + from + WHERE);
        }
        if (draft.shape == Shape.SAMPLE) {
            draft.items(3, () -> e.item(1));
            draft.equivalent = "SELECT id, " + ITEMS + from + WHERE;
            return draft.as(RowComparison.SUBSET, "SELECT id, " + ITEMS + from + " TABLESAMPLE " + e.any("SYSTEM", "BERNOULLI") + " (" + e.any("50",
                    "10",
                    "100", "0") + ")" + WHERE);
        }
        draft.conjuncts.add(e.bool(2));
        Stream<String> thirds = Stream.of(CONDITION, "NOT " + CONDITION, CONDITION + " IS NULL");
        if (draft.shape == Shape.TLP_ROWS) {
            draft.items(4, () -> e.item(2));
            draft.equivalent = thirds.map(third -> "SELECT " + ITEMS + from + " WHERE " + third).collect(Collectors.joining(" UNION ALL "));
            return draft.as(RowComparison.ROWS, "SELECT " + ITEMS + from);
        }
        String number = e.number(2);
        String text = e.text(1);
        String aggregates = "SELECT count(*) c, sum(" + number + ") s, min(" + text + ") l, max(" + number + ") m" + from;
        draft.equivalent = "SELECT sum(c), sum(s), min(l), max(m) FROM (" + thirds.map(third -> aggregates + " WHERE " + third).collect(Collectors
                .joining(" UNION ALL ")) + ")";
        return draft.as(RowComparison.ROWS, aggregates);
    }

    private static String named(Draft draft, String prefix)
    {
        return IntStream.range(0, draft.items.size()).mapToObj(i -> draft.items.get(i) + " " + prefix + i).collect(Collectors.joining(", "));
    }

    /** Deals cards in a random order, each one once before any comes again. */
    static final class Deck<T>
    {
        private final List<T> all;
        private final Random random;
        private final List<T> left = new ArrayList<>();

        Deck(List<T> all, Random random)
        {
            this.all = List.copyOf(all);
            this.random = random;
        }

        T next()
        {
            return next(card -> true);
        }

        /** Returns the next card that satisfies the predicate; the others remain. */
        T next(Predicate<T> wanted)
        {
            for (int i = 0; i < left.size(); i++) {
                if (wanted.test(left.get(i))) {
                    return left.remove(i);
                }
            }
            List<T> shuffled = new ArrayList<>(all);
            Collections.shuffle(shuffled, random);
            left.addAll(shuffled);
            return left.stream().filter(wanted).findFirst().map(card -> {
                left.remove(card);
                return card;
            }).orElseThrow();
        }
    }
}
