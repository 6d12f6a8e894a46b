// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration.generator;

import io.eyrie.integration.generator.DataType.Kind;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Creates random expressions over columns, of a given type and without errors unless requested, and records their features. Numbers stay small, so
 * that neither they nor their sums overflow. Not thread-safe.
 */
final class Expressions
{
    /** @param via the features that it uses to access the value */
    private record Term(String sql, DataType type, List<Feature> via)
    {
        private Term part(String part, DataType partType, Feature by)
        {
            return new Term(part, partType, Stream.concat(via.stream(), Stream.of(by)).toList());
        }
    }

    private final Random random;
    private final List<Term> terms = new ArrayList<>();
    private final Set<Feature> features;
    private final Set<Kind> kinds;

    Expressions(Random random, Set<Feature> features, Set<Kind> kinds)
    {
        this.random = random;
        this.features = features;
        this.kinds = kinds;
    }

    static Expressions of(Random random)
    {
        return new Expressions(random, EnumSet.noneOf(Feature.class), EnumSet.noneOf(Kind.class));
    }

    Set<Feature> features()
    {
        return features;
    }

    Set<Kind> kinds()
    {
        return kinds;
    }

    /** Adds the columns of a table; {@code qualifier} is empty or ends in a dot. */
    Expressions with(Table table, String qualifier)
    {
        table.allColumns().forEach(column -> terms.add(new Term(qualifier + column.name(), column.type(),
                table.partitions().contains(column) ? List.of(Feature.PARTITION_COLUMN) : List.of())));
        return this;
    }

    /** Creates expressions over another table's columns that record features and kinds in the same sets. */
    Expressions over(Table table, String qualifier)
    {
        return new Expressions(random, features, kinds).with(table, qualifier);
    }

    /** Returns an unchanged column. */
    String column()
    {
        return used(any(terms));
    }

    /** Returns the column of this name, which all tables have. */
    String unchanged(String name)
    {
        return terms.stream().filter(term -> term.sql().equals(name) || term.sql().endsWith("." + name)).findFirst().map(this::used).orElseThrow();
    }

    /** Returns an unchanged column whose type satisfies the condition. */
    Optional<String> column(Predicate<DataType> condition)
    {
        return pick(terms.stream().filter(term -> condition.test(term.type())).toList()).map(this::used);
    }

    private String used(Term term)
    {
        kinds.add(term.type().kind());
        term.type().parts().forEach(part -> kinds.add(part.kind()));
        features.addAll(term.via());
        return term.sql();
    }

    /* Returns a column, or a value inside one, of a plain type that satisfies the condition. */
    private Optional<String> leaf(Predicate<Kind> condition)
    {
        return pick(terms.stream().flatMap(term -> inner(term).stream()).filter(term -> condition.test(term.type().kind())).toList()).map(this::used);
    }

    private List<Term> inner(Term term)
    {
        DataType type = term.type();
        List<Term> found = switch (type.kind()) {
            case ARRAY -> List.of(term.part("element_at(" + term.sql() + ", " + any("1", "2", "-1", "7") + ")", type.parts().get(0),
                    Feature.ELEMENT));
            case MAP -> List.of(term.part("element_at(" + term.sql() + ", " + key(type) + ")", type.parts().get(1), Feature.MAP_VALUE));
            case ROW -> List.of(
                    term.part(term.sql() + ".f0", type.parts().get(0), Feature.FIELD),
                    term.part(term.sql() + ".f1", type.parts().get(1), Feature.FIELD));
            default -> List.of();
        };
        return found.isEmpty() ? List.of(term) : found.stream().flatMap(part -> inner(part).stream()).toList();
    }

    private String key(DataType map)
    {
        return map.parts().get(0).kind() == Kind.VARCHAR ? any("'k1'", "'k2'", "'none'") : any("1", "2", "99");
    }

    /** Returns any plain value. */
    String scalar(int depth)
    {
        return switch (random.nextInt(7)) {
            case 0 -> number(depth);
            case 1 -> text(depth);
            case 2 -> fraction(depth);
            case 3 -> date(depth);
            case 4 -> "(" + bool(depth) + ")";
            case 5 -> decimal(depth);
            default -> leaf(kind -> true).orElse("1");
        };
    }

    /** Returns a plain value or a column. */
    String item(int depth)
    {
        return random.nextInt(3) == 0 ? column() : scalar(depth);
    }

    /** Returns a bigint between some thousands on both sides of zero. */
    String number(int depth)
    {
        if (depth <= 0) {
            return random.nextInt(4) == 0
                    ? literal()
                    : leaf(Kind::isInteger).map(leaf -> "(cast(" + leaf + " AS bigint) % 1000)").orElseGet(this::literal);
        }
        return switch (random.nextInt(14)) {
            case 0 -> "(" + number(depth - 1) + any(" + ", " - ") + number(depth - 1) + ")";
            case 1 -> "(" + number(depth - 1) + " * " + random.nextInt(4) + ")";
            case 2 -> "(" + number(depth - 1) + any(" / ", " % ") + (random.nextInt(9) + 1) + ")";
            case 3 -> noted(Feature.CASE, "CASE WHEN " + bool(depth - 1) + " THEN " + number(depth - 1) + " WHEN " + bool(0) + " THEN " + literal()
                    + " ELSE " + number(0) + " END");
            case 4 -> noted(Feature.COALESCE, "coalesce(" + number(depth - 1) + ", " + literal() + ")");
            case 5 -> "nullif(" + number(depth - 1) + ", " + literal() + ")";
            case 6 -> "if(" + bool(depth - 1) + ", " + number(depth - 1) + ", " + number(0) + ")";
            case 7 -> "length(" + text(depth - 1) + ")";
            case 8 -> any("year", "month", "day", "day_of_week", "quarter") + "(" + date(depth - 1) + ")";
            case 9 -> any("greatest", "least") + "(" + number(depth - 1) + ", " + number(0) + ")";
            case 10 -> noted(Feature.TRY_CAST, "(try_cast(" + text(depth - 1) + " AS bigint) % 1000)");
            case 11 -> column(type -> type.kind() == Kind.ARRAY || type.kind() == Kind.MAP).map(nested -> "cardinality(" + nested + ")").orElseGet(
                    this::literal);
            case 12 -> any("hour", "minute", "second") + "(" + timestamp(depth - 1) + ")";
            default -> number(0);
        };
    }

    /** Returns a double: one of {@link Values}, or an eighth of a number; sums of them are exact. */
    String exactFraction()
    {
        return random.nextInt(3) == 0
                ? "(" + number(1) + " / 8e0)"
                : leaf(Kind::isFloatingPoint).map(leaf -> cast(leaf, "double")).orElse("(" + number(0) + " / 8e0)");
    }

    private String fraction(int depth)
    {
        if (depth <= 0) {
            return exactFraction();
        }
        return switch (random.nextInt(6)) {
            case 0 -> "(" + fraction(depth - 1) + any(" + ", " - ", " * ", " / ") + exactFraction() + ")";
            case 1 -> any("abs", "floor", "ceil", "sign", "-") + "(" + fraction(depth - 1) + ")";
            case 2 -> noted(Feature.CASE, "CASE " + number(0) + " WHEN 1 THEN " + fraction(depth - 1) + " WHEN 2 THEN nan() ELSE 5e-1 END");
            case 3 -> noted(Feature.COALESCE, "coalesce(" + fraction(depth - 1) + ", 0e0)");
            case 4 -> cast(decimal(0), "double");
            default -> exactFraction();
        };
    }

    String decimal(int depth)
    {
        String leaf = leaf(kind -> kind == Kind.DECIMAL).orElseGet(() -> cast(number(0), "decimal(12,2)"));
        return depth <= 0
                ? leaf
                : switch (random.nextInt(4)) {
                    case 0 -> "(cast(" + leaf + " AS decimal(14,3))" + any(" + ", " - ") + "DECIMAL '1.25')";
                    case 1 -> noted(Feature.COALESCE, "coalesce(" + leaf + ", 0)");
                    case 2 -> noted(Feature.TRY_CAST, "try_cast(" + fraction(depth - 1) + " AS decimal(12,3))");
                    default -> leaf;
                };
    }

    String text(int depth)
    {
        String leaf = leaf(kind -> kind == Kind.VARCHAR || kind == Kind.CHAR).map(found -> cast(found, "varchar")).orElse("'none'");
        if (depth <= 0) {
            return leaf;
        }
        return switch (random.nextInt(12)) {
            case 0 -> any("upper", "lower", "reverse", "trim") + "(" + text(depth - 1) + ")";
            case 1 -> "substr(" + text(depth - 1) + ", " + any("1, 1", "2", "-2", "1, 3") + ")";
            case 2 -> "concat(" + text(depth - 1) + ", " + textLiteral() + ")";
            case 3 -> "replace(" + text(depth - 1) + ", 'a', " + textLiteral() + ")";
            case 4 -> cast(number(depth - 1), "varchar");
            case 5 -> cast(date(depth - 1), "varchar");
            case 6 -> leaf(kind -> kind == Kind.VARBINARY).map(bytes -> "to_hex(" + bytes + ")").orElse(leaf);
            case 7 -> noted(Feature.CASE, "CASE WHEN " + bool(depth - 1) + " THEN " + text(depth - 1) + " ELSE " + textLiteral() + " END");
            case 8 -> noted(Feature.COALESCE, "coalesce(" + text(depth - 1) + ", " + textLiteral() + ")");
            case 9 -> "split_part(" + text(depth - 1) + ", 'k', 1)";
            case 10 -> cast(leaf(kind -> kind != Kind.VARBINARY).orElse("1"), "varchar");
            default -> leaf;
        };
    }

    String date(int depth)
    {
        String leaf = leaf(kind -> kind == Kind.DATE).orElseGet(() -> "date_add('day', " + number(0) + ", DATE '2021-01-01')");
        return depth <= 0
                ? leaf
                : switch (random.nextInt(4)) {
                    case 0 -> "date_add('" + any("day", "month") + "', " + number(depth - 1) + " % 50, " + leaf + ")";
                    case 1 -> cast(timestamp(depth - 1), "date");
                    case 2 -> "date_trunc('" + any("month", "week", "year") + "', " + leaf + ")";
                    default -> leaf;
                };
    }

    private String timestamp(int depth)
    {
        String leaf = leaf(kind -> kind == Kind.TIMESTAMP).orElseGet(() -> cast(date(0), "timestamp"));
        return depth <= 0 ? leaf : random.nextBoolean() ? "date_trunc('" + any("day", "hour") + "', " + leaf + ")" : leaf;
    }

    /** Returns a condition. */
    String bool(int depth)
    {
        if (depth > 0) {
            switch (random.nextInt(6)) {
                case 0 -> {
                    return "(" + bool(depth - 1) + " OR " + bool(depth - 1) + ")";
                }
                case 1 -> {
                    return "(" + bool(depth - 1) + " AND " + bool(depth - 1) + ")";
                }
                case 2 -> {
                    return "NOT (" + bool(depth - 1) + ")";
                }
                default -> {
                }
            }
        }
        return switch (random.nextInt(16)) {
            case 0, 1 -> leaf(Kind::isInteger).orElseGet(() -> number(depth - 1)) + comparison() + literal();
            case 2 -> number(depth - 1) + comparison() + number(0);
            case 3 -> text(depth - 1) + comparison() + textLiteral();
            case 4 -> date(depth - 1) + comparison() + dateLiteral();
            case 5 -> leaf(Kind::isFloatingPoint).orElseGet(() -> fraction(0)) + comparison() + any("0e0", "nan()", "1.5e0", "-2e0", "infinity()",
                    "-0e0");
            case 6 -> decimal(depth - 1) + comparison() + "DECIMAL '" + (random.nextInt(200) - 100) + ".25'";
            case 7 -> noted(Feature.LIKE, text(depth - 1) + any(" LIKE ", " NOT LIKE ") + any("'%a%'", "'mark%'", "'_'", "'%\\%%' ESCAPE '\\'",
                    "'%1'", "'%ü%'"));
            case 8 -> in();
            case 9 -> noted(Feature.IS_NULL, (random.nextBoolean() ? leaf(kind -> true).orElse("1") : column()) + any(" IS NULL", " IS NOT NULL"));
            case 10 -> noted(Feature.IS_DISTINCT, random.nextBoolean()
                    ? number(depth - 1) + any(" IS DISTINCT FROM ", " IS NOT DISTINCT FROM ") + any(literal(), "NULL", number(0))
                    : text(0) + any(" IS DISTINCT FROM ", " IS NOT DISTINCT FROM ") + any(textLiteral(), "NULL", text(0)));
            case 11 -> noted(Feature.BETWEEN, random.nextBoolean()
                    ? leaf(Kind::isInteger).orElse("1") + any(" BETWEEN ", " NOT BETWEEN ") + -random.nextInt(60) + " AND " + random.nextInt(60)
                    : date(0) + " BETWEEN " + dateLiteral() + " AND " + dateLiteral());
            case 12 -> leaf(kind -> kind == Kind.BOOLEAN).orElseGet(() -> number(0) + " > 0");
            case 13 -> fraction(depth - 1) + any(" IS NOT NULL", " <= 1e0", " <> 0e0");
            case 14 -> leaf(kind -> kind == Kind.TIMESTAMP).map(leaf -> leaf + comparison() + any("TIMESTAMP '1970-01-01 00:00:00'",
                    "TIMESTAMP '2021-03-28 02:30:00'"))
                    .orElseGet(() -> "is_nan(" + exactFraction() + ")");
            default -> column(type -> type.kind() == Kind.ARRAY).map(array -> "cardinality(" + array + ") > 1").orElseGet(() -> "is_infinite("
                    + exactFraction() + ")");
        };
    }

    private String in()
    {
        features.add(Feature.IN);
        return switch (random.nextInt(3)) {
            case 0 -> text(0) + any(" IN (", " NOT IN (") + textLiteral() + ", " + textLiteral() + ", " + any("''", "NULL", "'mark3'") + ")";
            case 1 -> date(0) + " IN (" + dateLiteral() + ", " + dateLiteral() + ")";
            default -> leaf(Kind::isInteger).orElse("1") + any(" IN (", " NOT IN (")
                    + IntStream.range(0, random.nextInt(8) + 1).mapToObj(i -> literal()).collect(Collectors.joining(", ")) + ")";
        };
    }

    /** Returns a time window that ends now, or that began a random number of days ago. */
    String upToNow()
    {
        features.add(Feature.NOW);
        int days = random.nextInt(40) + 1;
        String moment = leaf(kind -> kind == Kind.TIMESTAMP).orElseGet(() -> cast(date(0), "timestamp"));
        String day = leaf(kind -> kind == Kind.DATE).orElseGet(() -> "cast(" + moment + " AS date)");
        return switch (random.nextInt(4)) {
            case 0 -> moment + " >= now() - INTERVAL '" + days + "' DAY";
            case 1 -> moment + " BETWEEN now() - INTERVAL '" + days + "' DAY AND now()";
            case 2 -> day + " > current_date - INTERVAL '" + days + "' DAY";
            default -> day + " BETWEEN current_date - INTERVAL '" + days + "' DAY AND current_date";
        };
    }

    /** Returns a condition with a lambda. */
    String lambda()
    {
        features.add(Feature.LAMBDA);
        return column(type -> type.kind() == Kind.ARRAY).map(array -> "cardinality(filter(" + array + ", v -> v IS NOT NULL)) > " + random.nextInt(2))
                .orElseGet(() -> "any_match(ARRAY[" + number(0) + ", " + number(0) + "], v -> v > 3)");
    }

    /** Returns a condition that is always true, which the engine cannot know. */
    String always()
    {
        return noted(Feature.RANDOM, "random() < 2e0");
    }

    /** Returns a condition with a plugin's function. */
    String ofPlugin()
    {
        return noted(Feature.UDF, "eyrie_udf(length(label) + " + number(1) + ") > " + literal());
    }

    /** Returns an expression that fails on some values, each time with the same error. */
    String failing()
    {
        features.add(Feature.FAILING);
        return switch (random.nextInt(3)) {
            case 0 -> "cast(" + text(0) + " AS bigint)";
            case 1 -> "(100 / " + number(0) + ")";
            default -> "cast(" + leaf(Kind::isInteger).orElse("300") + " AS tinyint)";
        };
    }

    /** Returns an aggregate whose result does not depend on the order of the rows. */
    String aggregate()
    {
        return switch (random.nextInt(14)) {
            case 0 -> "count(*)";
            case 1 -> "count(" + column() + ")";
            case 2, 3 -> "sum(" + number(2) + ")";
            case 4 -> any("sum", "avg", "min", "max") + "(" + exactFraction() + ")";
            case 5 -> any("sum", "avg", "max") + "(" + decimal(1) + ")";
            case 6 -> any("min", "max") + "(" + text(1) + ")";
            case 7 -> any("min", "max") + "(" + date(1) + ")";
            case 8 -> "avg(" + number(1) + ")";
            case 9 -> "count_if(" + bool(1) + ")";
            case 10 -> any("bool_or", "bool_and") + "(" + bool(1) + ")";
            case 11 -> "checksum(" + item(1) + ")";
            case 12 -> "approx_distinct(" + text(1) + ")";
            default -> any("min", "max") + "(" + leaf(kind -> true).orElse("1") + ")";
        };
    }

    private String noted(Feature feature, String sql)
    {
        features.add(feature);
        return sql;
    }

    private String cast(String sql, String type)
    {
        return noted(Feature.CAST, "cast(" + sql + " AS " + type + ")");
    }

    private String comparison()
    {
        return any(" < ", " <= ", " > ", " >= ", " = ", " <> ");
    }

    String literal()
    {
        return Integer.toString(random.nextInt(120) - 60);
    }

    private String textLiteral()
    {
        return any("''", "'a%_b'", "'ü–ö'", "'mark" + random.nextInt(10) + "'", "'plain'", "'a b'", "'" + Integer.toString(random.nextInt(300), 36)
                + "'");
    }

    private String dateLiteral()
    {
        return any("DATE '1969-12-31'", "DATE '2021-01-01'", "date_add('day', " + (random.nextInt(70) - 60) + ", " + Values.today() + ")");
    }

    String any(String... choices)
    {
        return choices[random.nextInt(choices.length)];
    }

    private <T> T any(List<T> choices)
    {
        return choices.get(random.nextInt(choices.size()));
    }

    private <T> Optional<T> pick(List<T> choices)
    {
        return choices.isEmpty() ? Optional.empty() : Optional.of(any(choices));
    }
}
