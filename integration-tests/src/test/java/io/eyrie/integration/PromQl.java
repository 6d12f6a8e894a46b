// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses the selectors of a Prometheus expression, and nothing else of it. It rejects unknown syntax. */
final class PromQl
{
    /**
     * A metric that an expression names.
     *
     * @param equal its labels with a fixed value
     * @param labels all labels that it names
     */
    record Selector(String metric, Map<String, String> equal, Set<String> labels)
    {
        Selector
        {
            equal = Map.copyOf(equal);
            labels = Set.copyOf(labels);
        }
    }

    private static final Set<String> FUNCTIONS = Set.of("sum", "max", "min", "avg", "count", "rate", "increase");
    private static final Set<String> LISTS_OF_LABELS = Set.of("by", "without", "on", "ignoring", "group_left", "group_right");
    private static final Set<String> OPERATORS = Set.of("and", "or", "unless", "bool", "offset");
    private static final Pattern LABEL_VALUES = Pattern.compile("^label_values\\((.*), \\w+\\)$");
    private static final Pattern TOKEN = Pattern.compile(
            "\\s+|\\[[\\w$]+\\]|\\d[\\w.]*|(?<name>[a-zA-Z_:][\\w:]*)|(?<matchers>\\{[^}]*\\})|(?<open>\\()|(?<close>\\))|[-+*/%^]|[<>]=?|[=!]=|,");
    private static final Pattern MATCHER = Pattern.compile("(?<label>\\w+)\\s*(?<operator>=~|!~|!=|=)\\s*\"(?<value>[^\"]*)\"");

    private PromQl()
    {}

    /** Returns the selectors of an expression or of a query for a Grafana variable. */
    static List<Selector> selectors(String text)
    {
        String expression = LABEL_VALUES.matcher(text).replaceFirst("$1");
        List<Selector> selectors = new ArrayList<>();
        Matcher token = TOKEN.matcher(expression);
        int depth = 0;
        int at = 0;
        while (at < expression.length()) {
            token.region(at, expression.length());
            check(token.lookingAt(), "not understood", expression, at);
            at = token.end();
            depth += token.group("open") != null ? 1 : token.group("close") != null ? -1 : 0;
            check(depth >= 0 && token.group("matchers") == null, "out of place", expression, at);
            String name = token.group("name");
            if (name == null || OPERATORS.contains(name)) {
                continue;
            }
            if (LISTS_OF_LABELS.contains(name)) {
                at = expression.indexOf(')', at) + 1;
                check(at > 0, "no end", expression, token.end());
            }
            else if (expression.substring(at).stripLeading().startsWith("(") || isAggregation(expression, at)) {
                check(FUNCTIONS.contains(name), "unknown function", expression, at);
            }
            else if (token.region(at, expression.length()).lookingAt() && token.group("matchers") != null) {
                selectors.add(selector(name, token.group("matchers"), expression));
                at = token.end();
            }
            else {
                selectors.add(new Selector(name, Map.of(), Set.of()));
            }
        }
        check(depth == 0, "parentheses", expression, at);
        return selectors;
    }

    private static boolean isAggregation(String expression, int at)
    {
        return expression.substring(at).stripLeading().matches("(?s)(by|without)\\s*\\(.*");
    }

    private static Selector selector(String metric, String matchers, String expression)
    {
        Map<String, String> equal = new TreeMap<>();
        Set<String> labels = new TreeSet<>();
        String inner = matchers.substring(1, matchers.length() - 1);
        Matcher matcher = MATCHER.matcher(inner);
        while (matcher.find()) {
            labels.add(matcher.group("label"));
            if (matcher.group("operator").equals("=") && !matcher.group("value").startsWith("$")) {
                equal.put(matcher.group("label"), matcher.group("value"));
            }
        }
        check(MATCHER.matcher(inner).replaceAll("").replaceAll("[\\s,]", "").isEmpty(), "matchers", expression, 0);
        return new Selector(metric, equal, labels);
    }

    private static void check(boolean condition, String complaint, String expression, int at)
    {
        if (!condition) {
            throw new IllegalArgumentException(complaint + " at " + at + " of " + expression);
        }
    }
}
