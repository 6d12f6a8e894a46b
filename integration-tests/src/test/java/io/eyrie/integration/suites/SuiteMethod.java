// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration.suites;

import io.eyrie.integration.generator.Answer;
import io.eyrie.integration.suites.Comparison.Exclusion;
import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.suites.RecordedStatement;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static io.eyrie.integration.BesideStock.STOCK;
import static io.eyrie.testing.lake.Lake.CATALOG;

/** The statements of one method of a suite, on the tables of one schema. Each round runs them on stock and on Eyrie. Not thread-safe. */
final class SuiteMethod
{
    /*
     * Reads    Stock answers once. If Eyrie's answer differs, stock answers again: a statement with two different answers from stock proves nothing.
     * Writes   A method with a statement that writes runs completely in each round, in a schema of its catalog and round: with its own tables, and
     *          the shared files as external tables.
     * Doubles  Sums depend on the order of rows, which the suites allow for; ten digits are compared.
     */
    private static final Pattern READS = Pattern.compile(
            "\\s*(?:[(]?\\s*(?:select|with|values|table|show|describe|desc|explain|execute|set session|reset|use)\\b|[(]).*", Pattern.CASE_INSENSITIVE
                    | Pattern.DOTALL);
    private static final Pattern DOUBLE = Pattern.compile("(-?\\d[\\d.E-]*)[|]");
    /** The round that counts the statements with joined scans. */
    private static final String COUNTED_ROUND = "restarted";
    private static final MathContext DIGITS = new MathContext(10);

    private final Lake lake;
    private final SuiteCounts counts;
    private final String test;
    private final String schema;
    private final boolean writes;
    private final List<RecordedStatement> statements;
    private final Map<RecordedStatement, Answer> expected = new HashMap<>();

    /** @param schema of the shared tables */
    SuiteMethod(Lake lake, SuiteCounts counts, String schema, List<RecordedStatement> recorded)
    {
        this.lake = lake;
        this.counts = counts;
        this.schema = schema;
        test = recorded.get(0).test();
        writes = recorded.stream().anyMatch(statement -> !READS.matcher(statement.sql()).matches());
        statements = writes ? List.copyOf(recorded) : List.copyOf(new LinkedHashSet<>(recorded));
    }

    /** Returns the schema of the tables for methods that write. */
    static String schemaOfWrites(String catalog, String schema, String round)
    {
        return schema + "_" + round + "_" + catalog;
    }

    String schema()
    {
        return schema;
    }

    /** Returns whether the method needs {@link #schemaOfWrites}. */
    boolean writes()
    {
        return writes;
    }

    void run(String round)
    {
        for (RecordedStatement statement : statements) {
            Exclusion exclusion = Comparison.of(statement.sql(), statement.ordered());
            if (exclusion.comparison() == Comparison.NONE || statement.inTransaction()) {
                counts.excluded(exclusion.comparison() == Comparison.NONE ? exclusion.reason() : "in a transaction of several statements");
            }
            else {
                compare(statement, exclusion, round);
            }
        }
    }

    private void compare(RecordedStatement statement, Exclusion exclusion, String round)
    {
        Answer stock = writes ? ask(STOCK, statement, round) : expected.computeIfAbsent(statement, key -> ask(STOCK, key, round));
        Answer eyrie = ask(CATALOG, statement, round);
        if (round.equals(COUNTED_ROUND) && !eyrie.queryId().isEmpty() && isJoined(eyrie.queryId())) {
            counts.joined(statement.suite(), statement.sql());
        }
        String difference = difference(eyrie, stock, statement, exclusion);
        if (!difference.isEmpty() && !writes) {
            Answer again = ask(STOCK, statement, round);
            if (!again.difference(stock, statement.ordered()).isEmpty()) {
                counts.unstable(statement.sql());
                return;
            }
        }
        if (!difference.isEmpty()) {
            String report = test + ", " + round + ", " + schema + " " + statement.session() + statement.prepared() + ": " + statement.sql() + "\n  "
                    + difference;
            System.out.println("DIFFERENCE " + report);
            counts.differences.add(report);
        }
        else if (exclusion.comparison() == Comparison.ERRORS && !stock.isError()) {
            counts.excluded(exclusion.reason());
        }
        else if (stock.isError()) {
            counts.equalError(stock.errorCode(), stock.error());
        }
        else {
            if (exclusion.comparison() == Comparison.ROW_COUNT) {
                counts.excluded(exclusion.reason());
            }
            counts.equal(statement.suite());
        }
    }

    private boolean isJoined(String queryId)
    {
        return lake.client(schema).statistics(queryId).metric("eyrieFragmentJoins").sum() > 0;
    }

    private static String difference(Answer eyrie, Answer stock, RecordedStatement statement, Exclusion exclusion)
    {
        String difference = eyrie.difference(stock, statement.ordered());
        if (difference.isEmpty() || eyrie.isError() || stock.isError()) {
            return difference;
        }
        return switch (exclusion.comparison()) {
            case ALL -> difference;
            case ROW_COUNT -> eyrie.columns().equals(stock.columns()) && eyrie.rows().size() == stock.rows().size() ? "" : difference;
            case ERRORS, NONE -> "";
        };
    }

    private Answer ask(String catalog, RecordedStatement recorded, String round)
    {
        String inSchema = writes ? schemaOfWrites(catalog, schema, round) : schema;
        RecordedStatement statement = recorded.in(catalog, inSchema);
        PrestoClient client = lake.presto().client(catalog, inSchema).withTimeZone(statement.timeZone());
        for (Map.Entry<String, String> property : statement.session().entrySet()) {
            client = client.withSession(property.getKey(), property.getValue());
        }
        for (Map.Entry<String, String> prepared : statement.prepared().entrySet()) {
            client = client.withPrepared(prepared.getKey(), prepared.getValue());
        }
        counts.executions.increment();
        Answer answer = Answer.of(client, statement.sql());
        List<String> rows = new ArrayList<>(answer.rows().size());
        answer.rows().forEach(row -> rows.add(rounded(row).replace(inSchema, "the_schema").replace(catalog, "the_catalog")));
        return new Answer(answer.queryId(), answer.errorCode(), answer.error(), answer.columns(), rows);
    }

    private static String rounded(String row)
    {
        Matcher matcher = DOUBLE.matcher(row);
        return row.indexOf('|') < 0 ? row : matcher.replaceAll(found -> {
            BigDecimal value = new BigDecimal(found.group(1)).round(DIGITS);
            return value.signum() == 0 ? "0" : value.stripTrailingZeros().toString();
        });
    }
}
