// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration.generator;

import io.eyrie.integration.generator.DataType.Kind;

import java.util.List;
import java.util.Map;
import java.util.Set;

import static java.util.Objects.requireNonNull;

/**
 * A query and how to compare its answers.
 *
 * @param template SQL in which {@link #ITEMS} and {@link #WHERE} stand for the items and the conjuncts
 * @param items the items of the select list; all but one may be removed
 * @param conjuncts conditions that may be removed
 * @param equivalent another query with the same answer, also a template; empty if there is none
 * @param coarser further queries, also templates, that are run after this one: results of this one's leaf fragments may answer them
 * @param session the session's properties; a name that begins with a dot is a catalog property
 * @param compared how its answers are compared
 * @param facts the tables, types and features of the query
 */
record RandomQuery(
        Shape shape,
        String template,
        List<String> items,
        List<String> conjuncts,
        String equivalent,
        List<String> coarser,
        Map<String, String> session,
        RowComparison compared,
        Facts facts)
{
    static final String ITEMS = "{items}";
    static final String WHERE = "{where}";
    /** The conjuncts as one condition. */
    static final String CONDITION = "{condition}";

    enum RowComparison
    {
        /** A multiset of rows. */
        ROWS,
        /** Their order, too. */
        ORDERED_ROWS,
        /** A multiset, in which negative zero equals positive zero: which of several equal values represents all depends on the order of the rows. */
        ROWS_WITHOUT_SIGN_OF_ZERO,
        /** Each run returns a subset of the rows of the equivalent query. */
        SUBSET
    }

    /** The tables, types and features of the query. */
    record Facts(List<Table> tables, Set<Kind> kinds, Set<Feature> features)
    {
        Facts
        {
            tables = List.copyOf(tables);
            kinds = Set.copyOf(kinds);
            features = Set.copyOf(features);
        }
    }

    RandomQuery
    {
        requireNonNull(shape, "shape is null");
        requireNonNull(template, "template is null");
        items = List.copyOf(items);
        conjuncts = List.copyOf(conjuncts);
        requireNonNull(equivalent, "equivalent is null");
        coarser = List.copyOf(coarser);
        session = Map.copyOf(session);
        requireNonNull(compared, "compared is null");
        requireNonNull(facts, "facts is null");
    }

    String sql()
    {
        return filled(template);
    }

    /** Returns another query with the same answer, or {@link #sql}. */
    String equivalentSql()
    {
        return filled(equivalent.isEmpty() ? template : equivalent);
    }

    private String filled(String text)
    {
        String condition = conjuncts.isEmpty() ? "true" : String.join(" AND ", conjuncts);
        return text.replace(ITEMS, String.join(", ", items)).replace(WHERE, conjuncts.isEmpty() ? "" : " WHERE " + condition).replace(CONDITION, "("
                + condition + ")");
    }

    /** Returns the further queries. */
    List<RandomQuery> coarserQueries()
    {
        return coarser.stream().map(sql -> new RandomQuery(shape, sql, items, conjuncts, "", List.of(), session, compared, facts)).toList();
    }

    RandomQuery withParts(List<String> newItems, List<String> newConjuncts)
    {
        return new RandomQuery(shape, template, newItems, newConjuncts, equivalent, coarser, session, compared, facts);
    }

    RandomQuery withSession(Map<String, String> newSession)
    {
        return new RandomQuery(shape, template, items, conjuncts, equivalent, coarser, newSession, compared, facts);
    }
}
