// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration.suites;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** The parts of two answers to a statement that must be equal. */
enum Comparison
{
    /** Columns, rows and error codes. */
    ALL,
    /** Columns, the number of rows and error codes. */
    ROW_COUNT,
    /** Error codes. */
    ERRORS,
    /** The statement is not run. */
    NONE;

    /**
     * A kind of statement whose answer may differ from run to run.
     *
     * @param pattern found in the statement, in lower case and with single spaces
     */
    record Exclusion(Comparison comparison, String reason, Pattern pattern)
    {
        private Exclusion(Comparison comparison, String reason, String pattern)
        {
            this(comparison, reason, Pattern.compile(pattern));
        }
    }

    private static final Exclusion NOTHING = new Exclusion(ALL, "", "^");

    private static final List<Exclusion> EXCLUSIONS = List.of(
            new Exclusion(NONE, "a transaction of several statements; each statement here has a connection of its own",
                    "^(start transaction|commit|rollback)"),
            new Exclusion(ERRORS, "the text of a plan names the connector's handles, estimates and times", "^explain|^execute .*explain"),
            new Exclusion(ERRORS, "Eyrie's catalog has more session properties", "^show session"),
            new Exclusion(ERRORS, "random values", "\\b(rand|random|uuid|shuffle)\\(|tablesample"),
            new Exclusion(ERRORS, "the time of the query", "\\bnow\\(|current_time|current_date|localtime"),
            new Exclusion(ERRORS, "what runs on the cluster", "system\\.runtime"),
            new Exclusion(ROW_COUNT, "any rows, as many as the limit", "\\blimit \\d+"));

    /** Returns the first kind that matches the statement, or else one that compares everything. */
    static Exclusion of(String sql, boolean ordered)
    {
        String statement = sql.toLowerCase(Locale.ROOT).replaceAll("\\s+", " ").strip();
        return EXCLUSIONS.stream()
                .filter(exclusion -> exclusion.comparison() != ROW_COUNT || !ordered)
                .filter(exclusion -> exclusion.pattern().matcher(statement).find())
                .findFirst()
                .orElse(NOTHING);
    }
}
